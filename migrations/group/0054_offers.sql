-- What lists serve of a listed home besides its pro forma, and decisions are made from: value, rent, renovation, approval.
alter table assessment add column offers jsonb;
comment on column assessment.offers is 'Of a listed home, at the market''s assumptions: what each use could bear, and what it follows from.';
-- Stays until no program of the version before writes it.
comment on column assessment.flip_profit_usd is 'Not used since version 4: see offers.';

alter table property_search add column value_usd double precision;
alter table property_search add column price_to_value double precision;
alter table property_search add column monthly_rent_usd double precision;
alter table property_search add column cap_rate_pct double precision;
alter table property_search add column gross_yield_pct double precision;
alter table property_search add column flip_profit_usd double precision;
alter table property_search add column flip_maximum_offer double precision;
alter table property_search add column approval text;
comment on column property_search.approval is 'What the use needs that the decision about the home is about: none, ministerial, design_review, discretionary, unknown.';
