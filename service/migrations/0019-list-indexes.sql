-- What was decided is listed from its decisions to the rows with those contents.
create index quarantined_row_by_content on quarantined_row (row_sha256);

-- What one person or key did, newest first.
create index audit_event_by_actor on audit_event (actor_id, id) where actor_id is not null;
