-- Cooldowns and used budget of the sources, so that a restart does not forget a refusal or the
-- requests of the last hour. The host is empty unless the source limits each of its hosts.
create table source_state (
  provider text not null,
  host text not null,
  state jsonb not null,
  primary key (provider, host)
);
