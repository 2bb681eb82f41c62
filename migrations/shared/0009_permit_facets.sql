-- The filters that the trigram index of permit_search contains in addition to the text: market, city, and the valuation steps that
-- the permit reaches. Shared, so that the indexes of all groups and a search over all of them use the same function.
create function permit_facets(market text, city_slug text, valuation_usd double precision) returns text[]
language sql immutable parallel safe
return array[market, market || '/' || city_slug] || (array['$100000', '$250000', '$500000', '$1000000', '$2500000'])
  [1:width_bucket(valuation_usd, array[100000, 250000, 500000, 1000000, 2500000]::double precision[])];
