-- Limits of watchlists by plan. Existing plans keep the limits that all plans had, except Free.
alter table plan
  add column watchlists_max int4 not null default 50 check (watchlists_max > 0),
  add column watchlist_companies_max int4 not null default 1000
    check (watchlist_companies_max > 0);
update plan set watchlists_max = 5, watchlist_companies_max = 100 where name = 'free';
