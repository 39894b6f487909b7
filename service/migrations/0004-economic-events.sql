-- Versions of economic events; known_to is null on the version that stands.
create table economic_event (
  version_id int8 generated always as identity primary key,
  id text not null,
  country text not null,
  country_code text,
  event_name text not null,
  date date not null,
  "time" text not null,
  scheduled_at timestamptz,
  time_status text not null,
  actual text,
  consensus text,
  previous text,
  revised text,
  actual_value numeric,
  consensus_value numeric,
  previous_value numeric,
  revised_value numeric,
  unit text,
  measure text,
  period text,
  importance int4 not null,
  us_major boolean not null,
  source_url text,
  provenance jsonb not null,
  updated_at timestamptz not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index economic_event_current on economic_event (id) where known_to is null;
create index economic_event_by_date on economic_event (date) where known_to is null;
create index economic_event_history on economic_event (id, known_from);
