{-# LANGUAGE ScopedTypeVariables #-}
-- Threads whose wait ends with an exception, and which say in the log whether the collector threw it ("resurrected") or a
-- thread did ("killed").
-- usage: thrown KIND N ON   (ON: the capability of these threads; -1: any)
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace
import GHC.Conc (labelThread)
import qualified GHC.Event as Event
import System.Environment
import System.Mem

told :: IO () -> IO ()
told act = act `catches`
  [ Handler (\(_ :: BlockedIndefinitelyOnMVar) -> traceEventIO "resurrected")
  , Handler (\(_ :: SomeException) -> traceEventIO "killed") ]

-- one that waits until an exception ends that
waiting :: (IO () -> IO ThreadId) -> (ThreadId -> IO ()) -> IO ()
waiting fork act = do
  m <- newEmptyMVar
  t <- fork (told (takeMVar m))
  threadDelay 1000
  act t
  putMVar m ()

kinds :: (IO () -> IO ThreadId) -> Int -> [(String, IO ())]
kinds fork n =
  [ ("bank", rounds $ do -- two threads, two locks, and the other order
      a <- newMVar ()
      b <- newMVar ()
      let go x y = takeMVar x >> threadDelay 500 >> takeMVar y
      _ <- fork (told (go a b))
      _ <- fork (told (go b a))
      threadDelay 12000
      performGC)
  , ("alone", replicateM_ n (told (newEmptyMVar >>= takeMVar)))
  , ("before", rounds (waiting fork (\t -> killThread t >> performGC)))
  , ("after", rounds (waiting fork (\t -> performGC >> killThread t)))
  , ("manager", do
      manager <- Event.getSystemTimerManager
      rounds $ waiting fork $ \t -> do
        _ <- Event.registerTimeout manager 1000 (killThread t)
        threadDelay 1000
        performGC)
  ]
 where rounds act = replicateM_ n (act >> threadDelay 15000)

main :: IO ()
main = do
  [kind, n, on] <- getArgs
  myThreadId >>= \t -> labelThread t "main"
  maybe (fail kind) id (lookup kind (kinds (if read on < 0 then forkIO else forkOn (read on)) (read n)))
  threadDelay 3000
