-- The consensus of revenue may come from another source than that of EPS, seen at another time or
-- only after the report: it has an instant of its own.
alter table earnings_event add column revenue_estimate_as_of timestamptz;

-- What one feed said of both at once was frozen at once; all else is known when it is merged again.
update earnings_event
   set revenue_estimate_as_of = estimate_as_of
 where estimate_as_of is not null
   and revenue_estimate is not null
   and (eps_estimate is null
        or ((provenance -> 'epsEstimate' ->> 'provider') = (provenance -> 'revenueEstimate' ->> 'provider')
            and (provenance -> 'epsEstimate' ->> 'feed') = (provenance -> 'revenueEstimate' ->> 'feed')));
