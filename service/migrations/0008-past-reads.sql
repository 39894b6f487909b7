-- Reads as of a past instant: what is needed so that an answer once given never changes.

-- One row: no commit to come carries an instant before it. Whoever writes versions raises it to its
-- own instant and holds it until the commit; whoever reads as of an instant raises it past that one.
create table version_clock (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null
);
insert into version_clock (at)
select greatest(to_timestamp(0),
                (select max(greatest(known_from, known_to)) from earnings_event),
                (select max(greatest(known_from, known_to)) from profile),
                (select max(greatest(known_from, known_to)) from economic_event),
                (select max(greatest(known_from, known_to)) from ipo),
                (select max(greatest(known_from, known_to)) from dividend),
                (select max(greatest(created_at, revoked_at)) from market_override));

-- Versions of securities: which company a symbol meant, as it was known then. What stands is in
-- security and security_symbol too, where each symbol has a row.
create table security_version (
  version_id int8 generated always as identity primary key,
  id text not null,
  symbol text not null,
  cik text,
  name text,
  exchange text,
  active boolean not null,
  reports boolean not null,
  listed_at timestamptz,
  symbols jsonb not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index security_version_current on security_version (id) where known_to is null;
create index security_version_symbols on security_version using gin (symbols jsonb_path_ops);

-- Stores from before knew each security since its first profile at the latest.
insert into security_version
  (id, symbol, cik, name, exchange, active, reports, listed_at, symbols, known_from)
select s.id, s.symbol, s.cik, s.name, s.exchange, s.active, s.reports, s.listed_at, s.symbols,
       coalesce((select min(p.known_from) from profile p where p.security_id = s.id),
                (select at from version_clock))
  from security s;

-- What stood at an instant, by day and by company.
create index earnings_event_by_date_ever on earnings_event (date, known_from);
create index earnings_event_by_security_ever on earnings_event (security_id, known_from);
create index economic_event_by_date_ever on economic_event (date, known_from);
create index dividend_by_ex_date_ever on dividend (ex_date, known_from);

-- Which answers a source gave at an instant: where a field was read.
create index raw_answer_observed on raw_answer (provider, feed, observed_at);
