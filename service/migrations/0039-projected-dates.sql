-- Reports that no source dates get the likeliest day by the company's past reports. Stored reports
-- have no projection until they are merged again. The index finds projections whose day is over.
alter table earnings_event add column projection jsonb;

create index earnings_event_projected on earnings_event (date, symbol)
  where known_to is null and projection is not null;
