-- The form of an endpoint's requests: headers of Standard Webhooks beside ours, and the body as ours
-- or as a CloudEvent.
alter table webhook_endpoint add column standard_webhooks boolean not null default false;
alter table webhook_endpoint add column payload_format text not null default 'json'
  check (payload_format in ('json', 'cloudevents'));
