-- | Three modules that spend their time in different ways, for a time profile: recursion, recursion of two functions
-- through each other, a phase during which profiling is off, and two threads at once.
--
-- usage: quarry ROUNDS
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Profiling (startProfTimer, stopProfTimer)
import System.Environment (getArgs)

import qualified Mill
import qualified Stone

phase :: String -> IO a -> IO a
phase name work = do
  traceMarkerIO name
  traceEventIO ("START " ++ name)
  r <- work
  traceEventIO ("STOP " ++ name)
  return r

digging :: Int -> IO ()
digging rounds = forM_ [1 .. rounds] $ \k -> evaluate (Stone.cut (24 + k `mod` 4))

milling :: Int -> IO ()
milling rounds = forM_ [1 .. rounds] $ \k -> evaluate (Mill.grind (4000 + k))

-- | Nobody samples what is done here.
unseen :: Int -> IO ()
unseen rounds = stopProfTimer >> digging rounds >> startProfTimer

main :: IO ()
main = do
  [rounds] <- map read <$> getArgs
  phase "dig" (digging rounds)
  phase "unseen" (unseen rounds)
  phase "mill" (milling rounds)
  phase "both" $ do
    done <- newEmptyMVar
    void (forkOn 1 (milling rounds >> putMVar done ()))
    digging rounds
    takeMVar done
