-- A claim is one row for a batch of deliveries. Before, each delivery was updated when it was claimed,
-- with entries in three indexes, and again when its attempt ended. Now a claimed delivery keeps its row
-- until its attempt ends, and the claim has what must be durable before the first byte: which
-- deliveries may be sent, and with which data.
--
-- The arrays have one element per delivery. `data` is an index in `texts`, because subscribers to the
-- same company receive the same data. `done` lists the places, counted from 1, whose attempts have
-- ended. The row is deleted with the last of them.
create table delivery_claim (
  token text collate "C" primary key,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  size int4 not null,
  done int4[] not null default '{}',
  delivery_ids text[] not null,
  endpoint_ids text[] not null,
  symbols text[] not null,
  attempts int4[] not null,
  -- Each is a text[] as text.
  changed_fields text[] not null,
  data int4[] not null,
  texts text[] not null
);
-- Ids hardly shrink, and a claim lives for less than a second: compressing it costs more than it saves.
alter table delivery_claim
  alter column delivery_ids set storage external,
  alter column endpoint_ids set storage external,
  alter column symbols set storage external,
  alter column changed_fields set storage external,
  alter column texts set storage external;

insert into delivery_claim (token, claimed_at, lease_until, size, delivery_ids, endpoint_ids, symbols,
                            attempts, changed_fields, data, texts)
select claim_token, lease_until - interval '60 seconds', lease_until, 1, array[id], array[endpoint_id],
       array[symbol], array[attempt_count], array[changed_fields::text], array[1],
       array[coalesce(sent_data, 'null')]
  from delivery where state = 'in_progress';
-- An attempt counts once it has ended.
update delivery set attempt_count = attempt_count - 1 where state = 'in_progress';

-- `in_progress` is now the state of a delivery in flight beside which a successor may wait, so that a
-- subscription still has at most one delivery in `delivery_waiting`.
drop index delivery_in_flight;
drop index delivery_in_flight_claimed;
alter table delivery drop column claim_token, drop column lease_until, drop column claimed_at;
