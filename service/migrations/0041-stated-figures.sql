-- Figures of press releases, and those filed for the same quarter, by filer. Without the indexes, the
-- comparison of both reads every record.
create index source_record_stated_figure on source_record (subject, (fields ->> 'periodEnd'))
  where dataset = 'earnings' and fields ->> 'kind' = 'stated-figure';
create index source_record_financials on source_record (subject, (fields ->> 'periodEnd'))
  where dataset = 'earnings' and fields ->> 'kind' = 'financials';
