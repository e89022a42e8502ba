-- | Cuts stones: two functions that call each other, and a third that calls itself.
module Stone (cut) where

cut :: Int -> Int
cut n = split n + polish (4000 * n)

split, rest :: Int -> Int
split n = if n < 2 then 1 else rest (n - 1) + rest (n - 2)
rest n = if n < 2 then 1 else split (n - 1) + n

polish :: Int -> Int
polish n = go n 1
  where
    go 0 acc = acc
    go k acc = go (k - 1) ((acc * 31 + k) `mod` 65521)
