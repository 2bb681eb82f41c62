-- What assessors and listing services record of a house beyond its size and age. Null is unknown. Adding a column without a default
-- rewrites nothing.
alter table property add column quality double precision check (quality between 0 and 100),
  add column condition double precision check (condition between 0 and 100),
  add column view double precision check (view between 0 and 100),
  add column waterfront boolean,
  add column basement_sqft double precision check (basement_sqft >= 0);
alter table listing add column quality double precision check (quality between 0 and 100),
  add column condition double precision check (condition between 0 and 100),
  add column view double precision check (view between 0 and 100),
  add column waterfront boolean,
  add column garage_sqft double precision check (garage_sqft >= 0),
  add column basement_sqft double precision check (basement_sqft >= 0);
alter table sale add column quality double precision check (quality between 0 and 100),
  add column condition double precision check (condition between 0 and 100),
  add column view double precision check (view between 0 and 100),
  add column waterfront boolean,
  add column garage_sqft double precision check (garage_sqft >= 0),
  add column basement_sqft double precision check (basement_sqft >= 0);
comment on column property.quality is 'Construction quality: the assessor''s grade, 0 to 100.';
comment on column property.condition is 'As the source rates it, on the scale of the condition score: UAD C1 to C6 at 95, 85, 70, 55, 35, 15.';
comment on column property.view is 'As the source rates it: 0 none, 100 the best.';
comment on column listing.quality is 'As in property.';
comment on column listing.condition is 'As in property.';
comment on column listing.view is 'As in property.';
comment on column sale.quality is 'As in property. On the day of the sale.';
comment on column sale.condition is 'As in property. On the day of the sale.';
comment on column sale.view is 'As in property.';
