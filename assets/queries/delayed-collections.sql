-- the threads that stopped last for delayed collections
SELECT g.late_thread AS thread, t.label, count(*) AS n, sum(g.late_ran_ns) AS ran_ns, sum(g.late_ns) AS late_ns,
       max(g.late_ran_ns) AS longest_ns, min(g.request_ns) AS request_ns
FROM gc g LEFT JOIN threads t ON t.id = g.late_thread
WHERE g.cause = 'thread' GROUP BY g.late_thread, t.label ORDER BY ran_ns DESC, late_ns DESC, thread
