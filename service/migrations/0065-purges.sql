-- Finds keys that were deleted long ago, and old audit events.
create index api_key_by_deletion on api_key (deleted_at) where deleted_at is not null;
create index audit_event_by_time on audit_event (at);
