-- Which deliveries an endpoint has, told once, with what never changes of them. An index of `delivery`
-- by endpoint had an entry for each state that a delivery takes on: a seventh of all that the store
-- did for one. Those of rare ends have an index still.
create table endpoint_delivery (
  endpoint_id text collate "C" not null,
  delivery_id text collate "C" not null,
  template_id text collate "C" not null,
  symbol text collate "C" not null,
  is_test boolean not null,
  primary key (endpoint_id, delivery_id)
);
insert into endpoint_delivery (endpoint_id, delivery_id, template_id, symbol, is_test)
select endpoint_id, id, template_id, symbol, is_test from delivery order by endpoint_id, id;
drop index delivery_by_endpoint;
create index delivery_ended_otherwise on delivery (endpoint_id, id)
  where state in ('held', 'failed', 'superseded', 'cancelled');

create function deliveries_were_opened() returns trigger language plpgsql as $$
begin
  insert into endpoint_delivery (endpoint_id, delivery_id, template_id, symbol, is_test)
  select endpoint_id, id, template_id, symbol, is_test from opened;
  return null;
end $$;
create trigger deliveries_were_opened after insert on delivery
  referencing new table as opened for each statement execute function deliveries_were_opened();

create function deliveries_were_removed() returns trigger language plpgsql as $$
begin
  delete from endpoint_delivery o using gone g
   where o.endpoint_id = g.endpoint_id and o.delivery_id = g.id;
  return null;
end $$;
create trigger deliveries_were_removed after delete on delivery
  referencing old table as gone for each statement execute function deliveries_were_removed();

-- Deliveries that were tried more than a day after they were opened, of which there are few: so
-- attempts of a while are found among the deliveries of the day before it, and here.
drop index delivery_tried_late;
create index delivery_tried_late on delivery (due_at) where due_at - created_at > interval '1 day';
