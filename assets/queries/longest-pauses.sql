-- the longest pauses, from the request: what the collection did, and who delayed its start
SELECT request_ns, pause_ns, sync_ns, gen, kind, copied_bytes, cause, late_thread AS thread, late_ns
FROM gc ORDER BY pause_ns DESC, start_ns LIMIT 200
