-- While any session holds a snapshot, VACUUM cannot remove the rows of finished deliveries, and every
-- search of an endpoint's deliveries in progress visits their index entries. Claims are therefore
-- indexed by time, by the clock of the database, and a worker starts its search at the earliest claim
-- that was still in progress when it last held the lock on the endpoint. The unique index
-- delivery_in_flight remains. The default is constant for existing rows, so the table is not rewritten.
alter table delivery add column claimed_at timestamptz not null default now();
create index delivery_in_flight_claimed on delivery (endpoint_id, claimed_at)
  where state = 'in_progress';
