-- Corrects the rows that have 0 where the score is not known. In a file of its own, because it locks only the rows that it changes,
-- while the file before it locks the table.
update property_search t set teardown_score = s.teardown_score, flippability_score = s.flippability_score,
  condition_score = s.condition_score, historic_charm = s.historic_charm, price_cut_pct = s.price_cut_pct,
  adu_max_units = s.adu_max_units, garage_sqft = s.garage_sqft
from property_search_source s
where t.market = s.market and t.property_id = s.property_id
  and (t.teardown_score, t.flippability_score, t.condition_score, t.historic_charm, t.price_cut_pct, t.adu_max_units,
    t.garage_sqft)
    is distinct from (s.teardown_score, s.flippability_score, s.condition_score, s.historic_charm, s.price_cut_pct, s.adu_max_units,
    s.garage_sqft);
