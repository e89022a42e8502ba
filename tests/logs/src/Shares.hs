-- A thread that spends 70 % of its time computing, 20 % waiting for a lock and 10 % asleep, by the clock: each round of
-- 100 ms has its deadlines. At the end it writes how long each took, by its own measurement, to standard output.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM, forever, when)
import Data.Bits (shiftL, shiftR, xor)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (labelThread)
import System.Environment (getArgs)

roundNs, computeNs, lockNs :: Word64
roundNs = 100000000
computeNs = 70000000
lockNs = 90000000

mix :: Word64 -> Word64
mix x0 = let x1 = x0 `xor` (x0 `shiftL` 13); x2 = x1 `xor` (x1 `shiftR` 7) in x2 `xor` (x2 `shiftL` 17)

hash :: Int -> Word64 -> Word64
hash 0 x = x
hash n x = let y = mix x in y `seq` hash (n - 1) y

collatz :: Int -> Word64 -> Word64
collatz 0 x = x
collatz n x = let y = if even x then x `div` 2 else 3 * x + 1 in y `seq` collatz (n - 1) y

compute :: Word64 -> Word64 -> IO Word64
compute end x = do
  now <- getMonotonicTimeNSec
  if now >= end
    then return x
    else do
      let y = {-# SCC "hash" #-} hash 3000 x
          z = {-# SCC "collatz" #-} collatz 2000 (y + 7)
      z `seq` compute end (z + 1)

sleepUntil :: Word64 -> IO ()
sleepUntil t = do
  now <- getMonotonicTimeNSec
  when (now < t) $ threadDelay (fromIntegral ((t - now) `div` 1000))

waitForLock :: MVar Word64 -> MVar () -> Word64 -> IO ()
waitForLock order release end = do
  putMVar order end
  takeMVar release

worker :: Int -> MVar Word64 -> MVar () -> IO ()
worker rounds order release = do
  start <- getMonotonicTimeNSec
  times <- forM [0 .. rounds - 1] $ \k -> do
    let at = start + fromIntegral k * roundNs
    a <- getMonotonicTimeNSec
    x <- {-# SCC "compute" #-} compute (at + computeNs) (fromIntegral k + 88172645463325252)
    b <- x `seq` getMonotonicTimeNSec
    {-# SCC "waitForLock" #-} waitForLock order release (at + lockNs)
    c <- getMonotonicTimeNSec
    {-# SCC "rest" #-} sleepUntil (at + roundNs)
    d <- getMonotonicTimeNSec
    return (b - a, c - b, d - c)
  let (cs, ls, ss) = unzip3 times
  putStrLn ("{\"compute_ns\": " ++ show (sum cs) ++ ", \"lock_ns\": " ++ show (sum ls) ++ ", \"sleep_ns\": " ++ show (sum ss) ++ "}")

main :: IO ()
main = do
  [rounds] <- map read <$> getArgs
  order <- newEmptyMVar
  release <- newEmptyMVar
  done <- newEmptyMVar
  keeper <- forkIO $ forever $ do
    t <- takeMVar order
    sleepUntil t
    putMVar release ()
  labelThread keeper "keeper"
  thread <- forkIO $ worker rounds order release >> putMVar done ()
  labelThread thread "worker"
  takeMVar done
