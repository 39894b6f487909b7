-- The time of the store's first commit; null while there is none. A historical request for an
-- earlier instant is rejected instead of returning empty lists. In an existing store it is the
-- oldest version of any data set, which takes one pass over each table of versions.
alter table version_clock add column first_at timestamptz;

update version_clock set first_at = least(
  (select min(known_from) from security_version),
  (select min(known_from) from earnings_event),
  (select min(known_from) from dividend),
  (select min(known_from) from economic_event),
  (select min(known_from) from ipo),
  (select min(known_from) from profile));

-- Finds the companies whose results filings may be reports of a day.
create index source_record_filing_day on source_record ((fields ->> 'filingDate'))
  where dataset = 'earnings' and fields ->> 'kind' = 'filing';
