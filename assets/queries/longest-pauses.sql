-- the longest pauses, from the request: what asked for the collection, what it did, and who delayed its start
SELECT request_ns, pause_ns, flags AS why, gen, kind, copied_bytes, sync_ns, cause AS sync_cause, late_thread AS thread, late_ns
FROM gc ORDER BY pause_ns DESC, start_ns LIMIT 200
