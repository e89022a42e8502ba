-- | Grinds: builds maps and folds over them, which allocates and collects.
module Mill (grind) where

import qualified Data.Map.Strict as Map

grind :: Int -> Int
grind n = weigh (sift (crush n))

crush :: Int -> [(Int, Int)]
crush n = [(k * 7919 `mod` 4093, k) | k <- [1 .. n]]

sift :: [(Int, Int)] -> Map.Map Int [Int]
sift = foldr (\(k, v) -> Map.insertWith (++) k [v]) Map.empty

weigh :: Map.Map Int [Int] -> Int
weigh = Map.foldl' (\acc vs -> acc + sum vs `mod` 97) 0
