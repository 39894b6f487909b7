-- Earlier snapshots that have rows of the same symbols, but neither the same session nor the closes
-- of the session before. They prove that a snapshot of that session was captured before its close.
alter table price_night add column unlike text[] not null default '{}';
