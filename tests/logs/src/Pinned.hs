-- Two threads pinned to capability 0 share it for all of the run, while capability 1 works for 20 ms of each 30: no collection,
-- no lock, and no time in which only one capability runs for long.
-- usage: pinned ROUNDS
module Main (main) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (labelThread)
import System.Environment

-- Run until a time of the clock; allocates a little, so that the thread can be preempted.
workUntil :: IORef Int -> Integer -> IO ()
workUntil r end = do
  modifyIORef' r (+ 1)
  now <- getMonotonicTimeNSec
  when (toInteger now < end) (workUntil r end)

main :: IO ()
main = do
  rounds <- read . head <$> getArgs
  begin <- toInteger <$> getMonotonicTimeNSec
  let ms n = n * 1000000
      spawn cap name act = do
        done <- newEmptyMVar
        t <- forkOn cap (act >> putMVar done ())
        labelThread t name
        return done
      whole = begin + ms (30 * rounds)
      helper r = forM_ [0 .. rounds - 1] $ \k -> do
        workUntil r (begin + ms (30 * k + 20))
        now <- toInteger <$> getMonotonicTimeNSec
        threadDelay (fromInteger ((begin + ms (30 * k + 30) - now) `div` 1000))
  refs <- replicateM 3 (newIORef 0)
  dones <- zipWithM (\r (cap, name) -> spawn cap name (if cap == 0 then workUntil r whole else helper r)) refs
    [(0, "pinned-1"), (0, "pinned-2"), (1, "helper")]
  mapM_ takeMVar dones
