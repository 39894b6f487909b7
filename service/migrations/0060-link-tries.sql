-- Number of passwords that were hashed for a link. A link ends after five, because hashing is
-- expensive and needs no account.
alter table one_time_link add column tries int4 not null default 0;
