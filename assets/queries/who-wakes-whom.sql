-- who wakes whom: number of wake-ups, time of the first
SELECT w.waker, a.label AS waker_label, w.thread, b.label, w.n, w.t_ns
FROM (SELECT waker, thread, count(*) AS n, min(t_ns) AS t_ns FROM wakes WHERE waker IS NOT NULL GROUP BY waker, thread
      ORDER BY n DESC, waker, thread LIMIT 200) w
     LEFT JOIN (SELECT id, label FROM threads) a ON a.id = w.waker LEFT JOIN (SELECT id, label FROM threads) b ON b.id = w.thread
ORDER BY w.n DESC, w.waker, w.thread
