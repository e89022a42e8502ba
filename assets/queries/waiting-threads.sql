-- threads that waited longest for a capability
SELECT id AS thread, label, latency_at_ns, latency_wait_ns, latency_ns, run_ns
FROM threads WHERE latency_wait_ns > 0 ORDER BY latency_wait_ns DESC, id LIMIT 200
