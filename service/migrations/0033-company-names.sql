-- A company that changed its symbol is found by its name: under another symbol, or among the former
-- names of a filer.
create index source_record_company_name on source_record
  (lower(regexp_replace(fields->>'companyName', '[^a-zA-Z0-9]+', '', 'g') collate "C"))
  where dataset = 'profiles';

-- Equals `foldFormerName` of the service.
create function folded_former_names(fields jsonb) returns text[]
  language sql immutable parallel safe as $$
  select array_agg(regexp_replace(regexp_replace(
           lower(replace(regexp_replace(former->>'name', ' */[^/]*/? *$', ''), '.', '') collate "C"),
           '([ ,]+(inc|incorporated|corp|corporation|co|company|ltd|limited|llc|plc|lp|sa|nv|ag|se))+ *$', ''),
           '[^a-z0-9]+', '', 'g'))
    from jsonb_array_elements(fields->'formerNames') former
$$;
create index source_record_former_name on source_record using gin (folded_former_names(fields))
  where dataset = 'profiles' and jsonb_array_length(fields->'formerNames') > 0;
