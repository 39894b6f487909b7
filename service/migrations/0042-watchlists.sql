-- Named lists of companies. All people and keys of a customer share its watchlists.
create table watchlist (
  id text collate "C" primary key,
  customer_id text collate "C" not null references customer (id),
  name text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, name)
);

-- `security_id` keeps a company on its lists when its symbol changes. `symbol` is the symbol with
-- which it was added. It is shown only if the security no longer exists.
create table watchlist_member (
  watchlist_id text collate "C" not null references watchlist (id) on delete cascade,
  security_id text collate "C" not null,
  symbol text collate "C" not null,
  added_at timestamptz not null,
  primary key (watchlist_id, security_id)
);
create index watchlist_member_by_security on watchlist_member (security_id);
