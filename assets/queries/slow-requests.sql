-- the longest spans, and what their time went into
SELECT start_ns, name, thread, label, duration_ns, run_ns, gc_ns, runnable_ns, blocked_ns, foreign_ns
FROM spans WHERE duration_ns IS NOT NULL ORDER BY duration_ns DESC, start_ns LIMIT 200
