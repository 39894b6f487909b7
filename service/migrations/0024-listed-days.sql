-- When a source listed everything that it knows of a day, and how many rows there were: a row that
-- whole lists lack left its source.
create table listed_day (
  dataset text collate "C" not null,
  provider text collate "C" not null,
  feed text collate "C" not null,
  day date not null,
  observed_at timestamptz not null,
  row_count integer not null,
  primary key (dataset, provider, feed, day, observed_at)
);

-- Who was ever listed on a day, of the data sets whose lists are of days.
create index source_record_by_day
  on source_record (dataset, provider, feed, (coalesce(fields ->> 'exDate', fields ->> 'date')))
  where dataset in ('earnings', 'dividends');
