SELECT count(*), min(pause_ns), max(pause_ns), sum(pause_ns), sum(copied_bytes) FROM gc

SELECT kind, mode, count(*) AS n, sum(elapsed_ns) FROM gc GROUP BY kind, mode ORDER BY kind, mode

SELECT cap, count(*), max(sync_ns), sum(sync_ns) FROM gc GROUP BY cap ORDER BY cap

SELECT "index", start_ns, pause_ns FROM gc WHERE start_ns >= (SELECT avg(start_ns) FROM gc) ORDER BY start_ns, "index" LIMIT 20

SELECT * FROM gc ORDER BY pause_ns DESC, start_ns, "index" LIMIT 3

SELECT count(*) FROM gc a JOIN gc b ON b."index" = a."index" + 1 WHERE b.start_ns < a.end_ns

SELECT count(*), sum(run_ns), sum(runs), sum(wakeups), sum(migrations), max(life_ns) FROM threads

SELECT * FROM threads WHERE id IN (SELECT id FROM threads ORDER BY run_ns DESC, id LIMIT 3) ORDER BY id

SELECT id FROM threads WHERE id BETWEEN 2 AND 9 ORDER BY id

SELECT cap, count(*), max(allocated_bytes), max(live_bytes), max(size_bytes) FROM heap GROUP BY cap ORDER BY cap

SELECT t_ns, cap, allocated_bytes FROM heap WHERE t_ns > (SELECT max(t_ns) * 9 / 10 FROM heap) ORDER BY t_ns, cap, allocated_bytes

SELECT start_ns, end_ns, cap, thread FROM runs WHERE stop IS NOT NULL AND start_ns >= (SELECT max(start_ns) FROM gc) ORDER BY start_ns, cap LIMIT 50

SELECT thread, count(*), sum(end_ns - start_ns) FROM runs GROUP BY thread HAVING count(*) > 3 ORDER BY thread LIMIT 30

SELECT cap, other_cap, count(*), sum(waker IS NULL) FROM wakes GROUP BY 1, 2 ORDER BY 1, 2

SELECT 'gc', count(*) FROM gc UNION ALL SELECT 'threads', count(*) FROM threads UNION ALL SELECT 'heap', count(*) FROM heap UNION ALL SELECT 'wakes', count(*) FROM wakes UNION ALL SELECT 'markers', count(*) FROM markers

SELECT tag, min(t_ns), max(t_ns), count(DISTINCT cap) FROM events GROUP BY tag ORDER BY tag

SELECT t_ns, cap, name FROM events WHERE name = 'GC_START' AND t_ns < (SELECT avg(start_ns) FROM gc) ORDER BY t_ns, cap

SELECT sample, count(*), sum(bytes) FROM census GROUP BY sample ORDER BY sample

SELECT band, total_bytes, mean_bytes FROM bands ORDER BY total_bytes DESC, band LIMIT 10

SELECT cap, count(*), min(tick), max(tick) FROM samples GROUP BY cap ORDER BY cap
