-- Who made an invitation, so that it ends when they may invite no more. No reference: people go, and
-- so do used links in their time. Null: the command line, or one made before this was kept.
alter table one_time_link add column invited_by text;
create index one_time_link_by_inviter on one_time_link (invited_by) where invited_by is not null;
