-- the longest pauses: their causes, and who delayed them
SELECT g.request_ns, g.pause_ns, g.flags AS why, g.kind, g.sync_ns,
       CASE g.cause WHEN 'thread' THEN 'a thread ran' WHEN 'wakeup' THEN 'no thread ran' END AS sync_cause,
       g.late_thread AS thread, t.label, g.late_ns, g.gen, g.copied_bytes
FROM gc g LEFT JOIN (SELECT id, label FROM threads) t ON t.id = g.late_thread
ORDER BY g.pause_ns DESC, g.start_ns LIMIT 200
