-- | A little of everything a timeline shows: labelled threads, markers, messages, nested spans, sparks, minor and
-- major collections, blocking and idle phases.
--
-- usage: mixer ROUNDS
module Main (main) where

import Control.Concurrent
import Control.Exception (bracket_, evaluate)
import Control.Monad
import qualified Data.Map.Strict as Map
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread, par, pseq)
import System.Environment (getArgs)
import System.Mem (performMajorGC, performMinorGC)

spanned :: String -> IO a -> IO a
spanned name = bracket_ (traceEventIO ("START " ++ name)) (traceEventIO ("STOP " ++ name))

-- | Run in a thread of this name; wait with takeMVar.
fork :: String -> IO () -> IO (MVar ())
fork name work = do
  done <- newEmptyMVar
  t <- forkFinally work (\_ -> putMVar done ())
  labelThread t name
  return done

fib :: Int -> Integer
fib n = if n < 2 then toInteger n else fib (n - 1) + fib (n - 2)

sparkFib :: Int -> Integer
sparkFib n
  | n < 12 = fib n
  | otherwise = let a = sparkFib (n - 1); b = sparkFib (n - 2) in a `par` (b `pseq` a + b)

table :: Int -> Map.Map Int String
table n = Map.fromList [(k * 7919 `mod` 10007, show k) | k <- [1 .. n]]

-- | Allocates, and keeps its last tables alive.
churner :: Int -> IO ()
churner rounds = go rounds []
  where
    go 0 kept = void (evaluate (sum (map Map.size kept)))
    go k kept = do
      t <- spanned "build" (evaluate (table 900))
      when (k `mod` 4 == 0) $ spanned "sum" (void (evaluate (sum (map length (Map.elems t)))))
      go (k - 1) (take 3 (t : kept))

-- | Sends numbers one at a time, so that two threads block and wake each other.
sender, receiver :: Int -> MVar Int -> IO ()
sender rounds box = forM_ [1 .. rounds * 4] (putMVar box)
receiver rounds box = do
  got <- replicateM (rounds * 4) (takeMVar box)
  traceEventIO ("received " ++ show (length got) ++ ", last " ++ show (last got))

sleeper :: Int -> IO ()
sleeper rounds = forM_ [1 .. rounds] $ \k -> do
  threadDelay 1500
  traceEventIO ("nap " ++ show k ++ " \233t\233 \9728")

phase :: String -> IO () -> IO ()
phase name work = traceMarkerIO ("phase: " ++ name) >> work

main :: IO ()
main = do
  [rounds] <- map read <$> getArgs
  myThreadId >>= \t -> labelThread t "main"
  phase "mixed" $ do
    box <- newEmptyMVar
    running <- sequence
      [ fork "churner" (churner rounds)
      , fork "sender" (sender rounds box)
      , fork "receiver" (receiver rounds box)
      , fork "sleeper" (sleeper rounds)
      ]
    mapM_ takeMVar running
  phase "idle" (threadDelay 20000)
  phase "sparks" $ spanned "spark fib" (void (evaluate (sparkFib 25)))
  phase "collect" (performMinorGC >> spanned "major" performMajorGC)
  traceEventIO "the end"
