-- Versions of initial public offerings; known_to is null on the version that stands. subject is the
-- folded company name under which the deal is derived: no listed security need exist.
create table ipo (
  version_id int8 generated always as identity primary key,
  id text not null,
  subject text not null,
  symbol text,
  company_name text not null,
  exchange text,
  mic text,
  date date,
  date_status text not null,
  status text not null,
  offering_type text,
  price_low numeric,
  price_high numeric,
  price numeric,
  shares numeric,
  deal_size numeric,
  currency text not null,
  filed_date date,
  priced_date date,
  withdrawn_date date,
  underwriters jsonb not null,
  lockup_expiration date,
  cik text,
  filing_url text,
  provenance jsonb not null,
  updated_at timestamptz not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index ipo_current on ipo (id) where known_to is null;
create index ipo_by_subject on ipo (subject) where known_to is null;
create index ipo_open on ipo (status, date) where known_to is null;
create index ipo_history on ipo (id, known_from);

-- By what sources may speak of one deal under different names.
create index source_record_ipo_symbol on source_record ((fields->>'symbol')) where dataset = 'ipos';
create index source_record_ipo_deal on source_record ((fields->>'dealKey')) where dataset = 'ipos';
