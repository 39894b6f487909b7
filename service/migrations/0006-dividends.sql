-- Versions of dividends; known_to is null on the version that stands.
create table dividend (
  version_id int8 generated always as identity primary key,
  id text not null,
  security_id text not null,
  symbol text not null,
  name text,
  ex_date date not null,
  record_date date,
  payment_date date,
  declaration_date date,
  amount numeric,
  split_adjusted_amount numeric,
  currency text not null,
  type text not null,
  frequency text,
  annualized_amount numeric,
  status text not null,
  flags jsonb not null,
  provenance jsonb not null,
  updated_at timestamptz not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index dividend_current on dividend (id) where known_to is null;
create index dividend_by_ex_date on dividend (ex_date) where known_to is null;
create index dividend_by_security on dividend (security_id) where known_to is null;
create index dividend_history on dividend (id, known_from);
