-- Daily bars and splits.

-- What each feed says of one session of one symbol: its newest word. Which word stands is decided
-- at read, by precedence. held says why a bar is not to be shown; null when it is. Prices and
-- volume count the splits up to basis_date; list names the part of a market that an undated list of
-- prices covers.
create table price_bar (
  symbol text not null,
  date date not null,
  provider text not null,
  feed text not null,
  list text,
  basis_date date not null,
  open numeric,
  high numeric,
  low numeric,
  close numeric not null,
  previous_close numeric,
  volume int8,
  held text,
  observed_at timestamptz not null,
  answer_id int8 not null,
  primary key (symbol, date, provider, feed)
);
-- Not with provider and feed: a planner without figures would take it for look-ups of one symbol.
create index price_bar_by_date on price_bar (date, list);

-- Evenings on which an undated list of prices was seen: the session that it should be of, the one
-- that it proved to be of, and by which earlier evening.
create table price_night (
  provider text not null,
  feed text not null,
  list text not null,
  date date not null,
  content_date date not null,
  parent_date date,
  relation text,
  held text,
  primary key (provider, feed, list, date)
);

-- New shares for old ones; date is the first session on the new basis.
create table share_split (
  symbol text not null,
  date date not null,
  provider text not null,
  feed text not null,
  numerator int8 not null,
  denominator int8 not null,
  seen_at timestamptz not null,
  primary key (symbol, date, provider, feed)
);
create index share_split_by_date on share_split (date);
