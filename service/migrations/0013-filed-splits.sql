-- The market value that a list tells beside a price. On the night of a split some lists tell that of
-- the new price and the old shares.
alter table price_bar add column market_cap numeric;

-- Splits that refiled figures reveal: between two filings, without a day. The bars may show the day;
-- only then it becomes a share_split.
create table filed_split (
  security_id text not null,
  after_date date not null,
  date date not null,
  numerator int8 not null,
  denominator int8 not null,
  provider text not null,
  feed text not null,
  seen_at timestamptz not null,
  primary key (security_id, date)
);
