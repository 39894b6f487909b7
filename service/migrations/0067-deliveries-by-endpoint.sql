-- A delivery's row has two versions now, one when it is created and one when it is finished, so an
-- index by endpoint costs less than the table that listed the deliveries of each endpoint and the
-- triggers that filled it.
drop trigger deliveries_were_opened on delivery;
drop trigger deliveries_were_removed on delivery;
drop function deliveries_were_opened();
drop function deliveries_were_removed();
drop table endpoint_delivery;
create index delivery_by_endpoint on delivery (endpoint_id, id);
