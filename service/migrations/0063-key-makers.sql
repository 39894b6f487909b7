-- The creator of each API key and webhook endpoint: kind, id and label as in the audit log, and the
-- person who is responsible for it. If a key created it, that is the person who is responsible for
-- the key. The audit log has the creators of existing rows.
alter table api_key add column created_by jsonb, add column created_by_person text;
alter table webhook_endpoint add column created_by jsonb, add column created_by_person text;

with creation as materialized (
  select coalesce(details ->> 'newKey', subject) as object_id,
         jsonb_build_object('kind', actor_kind, 'id', actor_id, 'label', actor_label) as created_by
    from audit_event where act in ('key.create', 'key.roll', 'webhook.create')),
updated_key as (
  update api_key set created_by = creation.created_by
    from creation where creation.object_id = api_key.id)
update webhook_endpoint set created_by = creation.created_by
  from creation where creation.object_id = webhook_endpoint.id;

with recursive made (key_id, person_id) as (
  select id, created_by ->> 'id' from api_key where created_by ->> 'kind' = 'person'
  union
  select api_key.id, made.person_id
    from api_key join made on made.key_id = api_key.created_by ->> 'id'
   where api_key.created_by ->> 'kind' = 'key')
update api_key set created_by_person = made.person_id from made where made.key_id = api_key.id;

update webhook_endpoint
   set created_by_person = case created_by ->> 'kind'
         when 'person' then created_by ->> 'id'
         when 'key' then (select api_key.created_by_person from api_key
                           where api_key.id = webhook_endpoint.created_by ->> 'id') end
 where created_by is not null;

create index api_key_by_creator on api_key (created_by_person) where created_by_person is not null;
create index webhook_endpoint_by_creator on webhook_endpoint (created_by_person)
  where created_by_person is not null;
