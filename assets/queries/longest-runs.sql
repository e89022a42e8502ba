-- the longest uninterrupted runs, and why each ended
SELECT r.start_ns, r.end_ns - r.start_ns AS duration_ns, r.cap, r.thread, t.label, r.why
FROM runs r LEFT JOIN (SELECT id, label FROM threads) t ON t.id = r.thread
WHERE r.end_ns IS NOT NULL ORDER BY duration_ns DESC, r.start_ns LIMIT 200
