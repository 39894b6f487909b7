-- Press releases state what the company expects. Reports stored before have none until their release
-- is read.
alter table earnings_event add column guidance jsonb;
