-- The session under which a snapshot's rows are served, and how many rows it has. Rows that belong
-- to an earlier session are served as a copy under that day, in a feed of their own; null until the
-- snapshot is reconciled again, or if another snapshot of the session is served.
alter table price_night add column served_date date;
alter table price_night add column row_count integer;
alter table price_night add column stale_count integer;

update price_night set served_date = date where held is null;
