-- Webhooks: who is told of what, and the deliveries, which are their own queue.

-- Where a customer wants to be told. Whoever opens, claims, finishes or closes deliveries of an
-- endpoint locks its row first (for no key update, in order of ids); the lower columns are the
-- engine's. is_slow: never answered 2xx yet, or the last attempt failed. failure_count and what
-- follows speak of the failures since the last 2xx; alerted: of what was told in this episode.
create table webhook_endpoint (
  id text collate "C" primary key,
  customer_id text not null references customer (id),
  url text not null,
  description text not null default '',
  is_dev boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'operator', 'failing', 'gone')),
  deleted_at timestamptz,
  is_slow boolean not null default true,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  failure_count int4 not null default 0,
  failing_since timestamptz,
  failing_delivery text,
  failing_several boolean not null default false,
  alerted text[] not null default '{}',
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoint_by_customer on webhook_endpoint (customer_id, id);

-- Sealed with the endpoint's id. previous signs along until expires_at.
create table webhook_secret (
  endpoint_id text collate "C" not null references webhook_endpoint (id) on delete cascade,
  role text not null check (role in ('current', 'next', 'previous')),
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (endpoint_id, role)
);

-- Who is told of which company by which template. answered_data: the data last answered 2xx, at
-- first those of the moment of subscribing, as JSON in the template's order; null: there were none.
-- named_fields: what was named since in a delivery that may have left and was not answered 2xx.
create table webhook_subscription (
  template_id text collate "C" not null,
  symbol text collate "C" not null,
  endpoint_id text collate "C" not null references webhook_endpoint (id) on delete cascade,
  created_at timestamptz not null,
  answered_data text,
  answered_at timestamptz,
  named_fields text[] not null default '{}',
  primary key (template_id, symbol, endpoint_id)
);
create index webhook_subscription_by_endpoint
  on webhook_subscription (endpoint_id, template_id, symbol);

-- One message to one endpoint about one company; ids rise with the time of opening. Without foreign
-- keys, which took time at every insert: endpoints are never removed while they have deliveries.
-- may_have_left: a byte of it may have reached the receiver, with sent_data. changed_fields: as sent,
-- or as far as known.
create table delivery (
  id text collate "C" primary key,
  customer_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  template_id text collate "C" not null,
  event_type text not null,
  symbol text collate "C" not null,
  state text not null check (state in ('pending', 'in_progress', 'retrying', 'held',
                                       'delivered', 'failed', 'superseded', 'cancelled')),
  is_test boolean not null default false,
  names_all boolean not null default false,
  changed_fields text[] not null default '{}',
  may_have_left boolean not null default false,
  sent_data text,
  replay_of text,
  superseded_by text,
  changed_at timestamptz not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  first_attempt_at timestamptz,
  delivered_at timestamptz,
  finished_at timestamptz,
  response_status int4,
  attempt_count int4 not null default 0,
  unknown_count int4 not null default 0,
  max_attempts int4 not null default 12,
  last_error_code text,
  claim_token text,
  lease_until timestamptz,
  check ((state = 'in_progress') = (claim_token is not null))
);
create index delivery_due on delivery (endpoint_id, due_at, id)
  where state in ('pending', 'retrying');
create unique index delivery_waiting on delivery (endpoint_id, template_id, symbol)
  where state in ('pending', 'retrying', 'held') and not is_test;
create unique index delivery_in_flight on delivery (endpoint_id, symbol)
  where state = 'in_progress';
create index delivery_by_customer on delivery (customer_id, id);
create index delivery_by_endpoint on delivery (endpoint_id, id);

-- One POST. state: started until its outcome is known; unknown when its lease ran out before.
create table delivery_attempt (
  delivery_id text collate "C" not null,
  n int4 not null,
  state text not null check (state in ('started', 'finished', 'unknown')),
  claim_token text not null,
  started_at timestamptz not null,
  duration_ms float8,
  dns_ms float8,
  connect_ms float8,
  tls_ms float8,
  first_byte_ms float8,
  request_headers jsonb,
  request_body text not null,
  remote_address text,
  response_status int4,
  response_headers jsonb,
  response_body text,
  truncated boolean not null default false,
  error_code text,
  error_detail text,
  primary key (delivery_id, n)
);

-- What is told to the owner of an endpoint: once in an episode of failures.
create table webhook_alert (
  id int8 generated always as identity primary key,
  endpoint_id text collate "C" not null,
  customer_id text collate "C" not null,
  kind text not null check (kind in ('failing', 'failing_24h', 'failing_72h', 'disabled',
                                     'recovered')),
  at timestamptz not null,
  failing_since timestamptz,
  detail text not null
);
create index webhook_alert_by_customer on webhook_alert (customer_id, id);

-- Companies of which something changed, until all who watch them have their deliveries:
-- after_endpoint is where to go on. With only_endpoint nobody else is told: it has just subscribed,
-- and something may have changed at that very moment.
create table webhook_fan_out (
  template_id text collate "C" not null,
  symbol text collate "C" not null,
  only_endpoint text collate "C" not null default '',
  changed_at timestamptz not null,
  after_endpoint text collate "C" not null default '',
  primary key (template_id, symbol, only_endpoint)
);
create index webhook_fan_out_by_age on webhook_fan_out (changed_at);

-- Up to where the engine has read: `changes` the id of a change record, `midnight` and
-- `midnight-to` milliseconds, with the template and symbol reached in between.
create table webhook_cursor (
  name text primary key,
  position int8 not null,
  reached text not null default ''
);
-- What was changed before there were webhooks is told to nobody.
insert into webhook_cursor (name, position) select 'changes', coalesce(max(id), 0) from change_record;
