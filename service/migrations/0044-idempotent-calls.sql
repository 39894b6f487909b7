-- Calls with an Idempotency-Key, for a day. token: of the request that runs the call, until
-- lease_until. took_effect: set in the transaction that records the call in the audit log. response:
-- sealed, because it may contain a secret.
create table idempotent_call (
  caller text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  token text not null,
  created_at timestamptz not null,
  lease_until timestamptz not null,
  took_effect boolean not null default false,
  response text,
  primary key (caller, key)
);
create index idempotent_call_by_age on idempotent_call (created_at);
