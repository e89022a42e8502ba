-- Two threads pinned to capability 0 share it for all of the run, while capability 1 works for 20 ms of each 30 and then waits
-- until one of them wakes it: no collection, no timer, and no time in which only one capability runs for long.
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
  bell <- newEmptyMVar
  refs <- replicateM 3 (newIORef 0)
  let ms n = begin + n * 1000000
      rounded act = forM_ [0 .. rounds - 1] act
      spawn (cap, name, act) r = do
        done <- newEmptyMVar
        t <- forkOn cap (act r >> putMVar done ())
        labelThread t name
        return done
  dones <- zipWithM spawn
    [ (0, "pinned-1", \r -> rounded (\k -> workUntil r (ms (30 * k + 30)) >> putMVar bell ()))
    , (0, "pinned-2", \r -> workUntil r (ms (30 * rounds)))
    , (1, "helper", \r -> rounded (\k -> workUntil r (ms (30 * k + 20)) >> takeMVar bell)) ] refs
  mapM_ takeMVar dones
