-- A person signs in. Memberships tie them to customers, or to the service as an operator, and a session
-- shows one of them. used_at: when a session last opened the membership; sign-in opens the latest.
create table membership (
  person_id text not null references person (id) on delete cascade,
  customer_id text references customer (id),
  role text not null check (role in ('operator', 'owner', 'member')),
  created_at timestamptz not null,
  used_at timestamptz not null,
  disabled_at timestamptz,
  check ((role = 'operator') = (customer_id is null)),
  unique nulls not distinct (person_id, customer_id)
);
create index membership_by_customer on membership (customer_id);

insert into membership (person_id, customer_id, role, created_at, used_at, disabled_at)
select id, customer_id, role, created_at, created_at, disabled_at from person;

alter table session add column customer_id text;
update session set customer_id = person.customer_id from person where person.id = session.person_id;

-- An address proves nothing about its owner, so several people may have the same one.
alter table person
  drop column role, drop column customer_id, drop column disabled_at,
  drop constraint person_email_key_key;
create index person_by_email on person (email_key);
