-- Computing time of a plan, in milliseconds per minute and process; null for no limit. A minute of
-- ordinary requests that no cache answers needs a tenth of it.
alter table plan
  add column compute_ms_per_minute int4 default 30000 check (compute_ms_per_minute > 0);
update plan set compute_ms_per_minute = 10000 where name = 'free';
