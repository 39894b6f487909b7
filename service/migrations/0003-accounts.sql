-- Who may read: customers, their plan, and their keys. A key itself is never stored.

create table customer (
  id text primary key,
  name text not null unique,
  plan text not null,
  created_at timestamptz not null,
  suspended_at timestamptz
);

-- hash is the SHA-256 of the key; prefix and last4 are what people recognise it by.
create table api_key (
  id text primary key,
  customer_id text not null references customer (id),
  hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  disabled_at timestamptz,
  revoked_at timestamptz
);
create index api_key_by_customer on api_key (customer_id);

-- One row, counted up by every change of the two tables above: processes that hold the keys in
-- memory compare it with the version they loaded.
create table key_ring_version (
  only_row boolean primary key default true check (only_row),
  version int8 not null
);
insert into key_ring_version (version) values (1);

create function count_key_ring_version() returns trigger language plpgsql as $$
begin
  update key_ring_version set version = version + 1;
  return null;
end
$$;

create trigger customer_changed after insert or update or delete on customer
  for each statement execute function count_key_ring_version();
create trigger api_key_changed after insert or update or delete on api_key
  for each statement execute function count_key_ring_version();
