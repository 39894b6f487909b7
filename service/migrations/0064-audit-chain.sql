-- Audit events of webhook endpoints named the whole URL, which is a secret of many chat services. They
-- keep the origin and a short hash of the rest. Then every audit event gets the hash of the event
-- before it of the same customer, or of the service, so that a change or a gap can be found. The hash
-- is computed when the transaction commits: then it holds all its other locks, and waits for no lock
-- but this last one.
alter table audit_event
  add column chain_no int8, add column previous_hash bytea, add column hash bytea;

create function audit_url(url text) returns text language sql immutable as $$
  select case when rest in ('', '/') then origin
              else origin || '/…' || left(encode(sha256(convert_to(rest, 'UTF8')), 'hex'), 8) end
    from (select coalesce(substring(url from '^[a-z]+://[^/?#]*'), '') as origin) as o,
         lateral (select substr(url, length(origin) + 1) as rest) as r
$$;

create function audit_event_hash(event audit_event) returns bytea language sql stable as $$
  select sha256(event.previous_hash || convert_to(json_build_array(
    event.chain_no, event.id, (extract(epoch from event.at) * 1000000)::int8, event.actor_kind,
    event.actor_id, event.actor_label, event.address, event.act, event.customer_id, event.subject,
    event.details::text)::text, 'UTF8'))
$$;

do $$
declare
  event audit_event;
  last audit_event;
begin
  for event in select * from audit_event order by customer_id, id loop
    if event.act like 'webhook.%' and event.details ? 'url' then
      event.details := event.details
        || jsonb_build_object('url', audit_url(event.details ->> 'url'))
        || case when event.details ? 'urlBefore'
                then jsonb_build_object('urlBefore', audit_url(event.details ->> 'urlBefore'))
                else '{}'::jsonb end;
    end if;
    if last.customer_id is not distinct from event.customer_id and last.id is not null then
      event.chain_no := last.chain_no + 1;
      event.previous_hash := last.hash;
    else
      event.chain_no := 1;
      event.previous_hash := '';
    end if;
    event.hash := audit_event_hash(event);
    update audit_event
       set details = event.details, chain_no = event.chain_no, previous_hash = event.previous_hash,
           hash = event.hash
     where id = event.id;
    last := event;
  end loop;
end $$;

drop function audit_url(text);

create unique index audit_event_by_chain on audit_event ((coalesce(customer_id, '')), chain_no);

-- Only changes that the service did not make add entries.
create index audit_event_unchained on audit_event (id)
  where chain_no is null or previous_hash is null or hash is null;

create function chain_audit_event() returns trigger language plpgsql as $$
declare
  event audit_event;
begin
  perform pg_advisory_xact_lock(7209465173);
  select * into event from audit_event where id = new.id;
  select chain_no + 1, hash into event.chain_no, event.previous_hash from audit_event
   where coalesce(customer_id, '') = coalesce(new.customer_id, '') and chain_no is not null
   order by chain_no desc limit 1;
  event.chain_no := coalesce(event.chain_no, 1);
  event.previous_hash := coalesce(event.previous_hash, '');
  update audit_event
     set chain_no = event.chain_no, previous_hash = event.previous_hash,
         hash = audit_event_hash(event)
   where id = new.id;
  return null;
end $$;

create constraint trigger chain_audit_event after insert on audit_event
  deferrable initially deferred
  for each row when (new.hash is null) execute function chain_audit_event();
