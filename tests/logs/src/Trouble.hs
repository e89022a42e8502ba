-- Programs in trouble, a kind at a time: trouble late | sparks | leak
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import GHC.Conc (labelThread, par, pseq)
import System.Environment
import System.Mem (performMajorGC)

-- Allocates nothing, so it cannot be stopped.
spin :: Int -> Int -> Int
spin 0 acc = acc
spin n acc = spin (n - 1) (acc * 1103515245 + 12345)

-- One thread that cannot be stopped, and one that allocates.
late :: IO ()
late = do
  done <- newEmptyMVar
  t <- forkOn 1 $ do
    forM_ [1 .. 12 :: Int] $ \i -> evaluate (spin 4000000 i) >> yield
    putMVar done ()
  labelThread t "spinner"
  _ <- forkOn 0 $ forM_ [1 .. 300 :: Int] $ \i -> evaluate (length (show (product [1 .. toInteger (400 + i)])))
  takeMVar done

-- More sparks at once than a pool holds, and sparks of what is evaluated already.
sparks :: IO ()
sparks = do
  let xs = [fromIntegral n * 3 | n <- [1 .. 9000 :: Int]] :: [Integer]
      go [] = ()
      go (y : ys) = y `par` go ys
  evaluate (length xs)
  evaluate (go xs)
  evaluate (sum xs)
  evaluate (again xs)
  return ()
  where
    again [] = ()
    again (y : ys) = y `pseq` (y `par` again ys)

-- What is never given back.
leak :: IO ()
leak = do
  kept <- newIORef []
  forM_ [1 .. 14 :: Int] $ \i -> do
    let new = [i .. i + 30000]
    _ <- evaluate (length new)
    modifyIORef kept (new :)
    performMajorGC
  readIORef kept >>= print . length . concat

main :: IO ()
main = do
  [kind] <- getArgs
  case kind of
    "late" -> late
    "sparks" -> sparks
    _ -> leak
  1 `pseq` return ()
