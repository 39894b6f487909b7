-- The EPS as filed stands beside the result that analysts compare with their consensus. It is known
-- when the report is merged again.
alter table earnings_event add column eps_gaap numeric;

-- Until now, a result and its consensus always came from one provider.
alter table earnings_event add column eps_comparable boolean not null default true;
