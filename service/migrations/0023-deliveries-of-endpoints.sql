-- Which deliveries an endpoint has, told once. An index of `delivery` by endpoint had an entry for
-- each state that a delivery takes on: a seventh of all that the store did for one.
create table endpoint_delivery (
  endpoint_id text collate "C" not null,
  delivery_id text collate "C" not null,
  primary key (endpoint_id, delivery_id)
);
insert into endpoint_delivery (endpoint_id, delivery_id)
select endpoint_id, id from delivery order by endpoint_id, id;
drop index delivery_by_endpoint;

create function deliveries_were_opened() returns trigger language plpgsql as $$
begin
  insert into endpoint_delivery (endpoint_id, delivery_id) select endpoint_id, id from opened;
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
