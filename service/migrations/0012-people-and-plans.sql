-- Plans as rows, keys with scopes and ranges, people who sign in, and what they did.

create table plan (
  name text primary key,
  per_minute int4 not null check (per_minute > 0),
  per_day int4 check (per_day > 0),
  per_month int4 check (per_month > 0),
  history_months int4 check (history_months > 0)
);
insert into plan (name, per_minute, per_day, per_month, history_months)
values ('free', 60, 100, 1000, 24), ('pro', 300, null, null, null);

-- A deleted customer keeps its row, since usage and audit speak of it; its name is free again.
alter table customer
  add column deleted_at timestamptz,
  add column changed_version int8 not null default 0,
  add constraint customer_plan_fkey foreign key (plan) references plan (name),
  drop constraint customer_name_key;
create unique index customer_by_name on customer (name) where deleted_at is null;
create index customer_by_plan on customer (plan);
create index customer_by_change on customer (changed_version);

-- allowed_cidrs null: from anywhere. rolled_to: the key that took this one's place. deleted_at: no
-- longer shown; a deleted key is revoked too.
alter table api_key
  add column name text not null default '',
  add column scopes text[] not null default '{read}'
    check (scopes <@ '{read,manage}' and cardinality(scopes) > 0),
  add column allowed_cidrs text[],
  add column rolled_to text,
  add column deleted_at timestamptz,
  add column changed_version int8 not null default 0;
create index api_key_by_change on api_key (changed_version);

-- Written far more often than keys, and of no interest to those who hold keys in memory.
create table api_key_use (
  key_id text primary key references api_key (id) on delete cascade,
  last_used_at timestamptz not null
);

-- Every statement that changes plans, customers or keys counts the version up before it touches a
-- row, and the rows bear the version they changed at. The counter's row stays locked until the
-- transaction ends, so versions are committed in their order: who has loaded version n misses
-- nothing by asking for rows above n. Rows that are gone bear nothing: then all is loaded again.
alter table key_ring_version add column reload_version int8 not null default 0;

drop trigger customer_changed on customer;
drop trigger api_key_changed on api_key;

create function stamp_key_ring_version() returns trigger language plpgsql as $$
begin
  new.changed_version := (select version from key_ring_version);
  return new;
end
$$;

create function ask_key_ring_reload() returns trigger language plpgsql as $$
begin
  update key_ring_version set version = version + 1, reload_version = version + 1;
  return null;
end
$$;

create trigger plan_counted before insert or update or delete on plan
  for each statement execute function count_key_ring_version();
create trigger customer_counted before insert or update on customer
  for each statement execute function count_key_ring_version();
create trigger customer_stamped before insert or update on customer
  for each row execute function stamp_key_ring_version();
create trigger customer_removed before delete on customer
  for each statement execute function ask_key_ring_reload();
create trigger api_key_counted before insert or update on api_key
  for each statement execute function count_key_ring_version();
create trigger api_key_stamped before insert or update on api_key
  for each row execute function stamp_key_ring_version();
create trigger api_key_removed before delete on api_key
  for each statement execute function ask_key_ring_reload();

-- Who may sign in. email is as it was typed, email_key what tells people apart. Operators belong to
-- no customer, everybody else to one. password_hash holds its parameters; totp_secret is sealed.
create table person (
  id text primary key,
  email text not null,
  email_key text not null unique,
  role text not null check (role in ('operator', 'owner', 'member')),
  customer_id text references customer (id),
  password_hash text,
  totp_secret text,
  totp_confirmed_at timestamptz,
  totp_last_step int8,
  created_at timestamptz not null,
  disabled_at timestamptz,
  check ((role = 'operator') = (customer_id is null))
);
create index person_by_customer on person (customer_id);

-- A code is deleted when it is used.
create table recovery_code (
  person_id text not null references person (id) on delete cascade,
  hash bytea not null,
  primary key (person_id, hash)
);

-- A session is deleted when it ends. password_at: when its password was last given.
create table session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  password_at timestamptz not null,
  address text,
  user_agent text
);
create index session_by_person on session (person_id);
create index session_by_expiry on session (expires_at);

-- Tokens that open one door once: the first operator, an invitation, a new password.
create table one_time_link (
  id text primary key,
  hash bytea not null unique,
  kind text not null check (kind in ('setup', 'invitation', 'password-reset')),
  email text,
  role text check (role in ('operator', 'owner', 'member')),
  customer_id text references customer (id),
  person_id text references person (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_link_by_customer on one_time_link (customer_id);
create index one_time_link_by_person on one_time_link (person_id);

-- Tries to sign in, by what they are counted for; full_at is when the allowance is whole again.
create table sign_in_allowance (
  bucket text primary key,
  full_at timestamptz not null
);
create index sign_in_allowance_by_time on sign_in_allowance (full_at);

-- From where somebody has signed in before.
create table known_address (
  person_id text not null references person (id) on delete cascade,
  address text not null,
  seen_at timestamptz not null,
  primary key (person_id, address)
);

-- What was done, by whom. It outlives whom and what it names, so nothing is referenced.
create table audit_event (
  id int8 generated always as identity primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'key', 'cli', 'system')),
  actor_id text,
  actor_label text not null,
  address text,
  act text not null,
  customer_id text,
  subject text,
  details jsonb not null
);
create index audit_event_by_customer on audit_event (customer_id, id);
