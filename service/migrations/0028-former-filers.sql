-- A company that reorganizes gets a new CIK and keeps its security. The reports of its earlier
-- filers belong to the same security, which is found by their CIKs.
alter table security add column former_ciks jsonb not null default '[]';
alter table security_version add column former_ciks jsonb not null default '[]';
create index security_former_ciks on security using gin (former_ciks);
