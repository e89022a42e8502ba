-- who wakes whom: number of wake-ups, time of the first
SELECT w.waker, w.thread, count(*) AS n, min(w.t_ns) AS t_ns FROM wakes w
WHERE w.waker IS NOT NULL GROUP BY w.waker, w.thread ORDER BY n DESC, w.waker, w.thread LIMIT 200
