-- What a change was: whether the thing is new, changed or gone, and the values before and after of
-- each field, as rows hold them; null for changes recorded before this.
alter table change_record
  add column kind text not null default 'changed' check (kind in ('added', 'changed', 'removed')),
  add column fields jsonb;
alter table change_record alter column kind drop default;
update change_record c set kind = 'added'
  from (select dataset, entity_id, min(id) as id from change_record group by dataset, entity_id) f
 where f.id = c.id;

-- From here on the times of commits never fall as ids rise: whoever reads from an instant on finds
-- its place by either.
update change_record c set committed_at = m.at
  from (select id, max(committed_at) over (order by id) as at from change_record) m
 where m.id = c.id and m.at <> c.committed_at;
create index change_record_by_time on change_record (committed_at, id);
create index change_record_by_dataset on change_record (dataset, id);
create index change_record_by_symbol on change_record (symbol, id);
-- The symbol that a thing had before.
create index change_record_renamed on change_record ((fields->'symbol'->>'from'), id)
  where fields->'symbol'->>'from' is not null;
-- The same as by time, and one index less.
drop index change_record_newest;

-- The sources that this software knows, as of the last start: what it tells of them, their feeds with
-- the data sets each fills, and whether they are asked.
create table source (
  name text primary key,
  title text not null,
  homepage text not null,
  redistribution text not null,
  terms text not null,
  is_asked boolean not null,
  feeds jsonb not null
);
