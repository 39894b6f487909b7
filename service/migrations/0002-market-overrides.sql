-- Days on which the market departs from its schedule, entered by operators. Nothing is deleted: a
-- mistaken entry is revoked. Minutes count from midnight, New York. reason is shown to customers,
-- note is not.
create table market_override (
  id int8 generated always as identity primary key,
  market_date date not null,
  kind text not null check (kind in ('closed', 'early-close', 'late-open')),
  open_minute int4 check (open_minute between 0 and 1439),
  close_minute int4 check (close_minute between 0 and 1439),
  reason text not null check (reason <> ''),
  note text,
  created_at timestamptz not null,
  created_by text not null,
  revoked_at timestamptz,
  revoked_by text,
  check ((kind = 'late-open') = (open_minute is not null)),
  check ((kind = 'early-close') = (close_minute is not null)),
  check ((revoked_at is null) = (revoked_by is null))
);
create index market_override_standing on market_override (market_date) where revoked_at is null;
