-- A watch of ids without a market is of the markets of its ids: an id begins with the number of its market, in base 32. Watches stored
-- before have the default market here.
update watch w set markets = ids.markets
from (
  select o.id, array_agg(distinct m.id) as markets
  from watch o
  cross join jsonb_array_elements_text(
    case jsonb_typeof(o.criteria -> 'id') when 'array' then o.criteria -> 'id' else jsonb_build_array(o.criteria -> 'id') end) as home
  cross join (select '0123456789abcdefghjkmnpqrstvwxyz' as digits) as base
  join market m on m.number = 1024 * (strpos(digits, substr(home, 3, 1)) - 1)
    + 32 * (strpos(digits, substr(home, 4, 1)) - 1) + strpos(digits, substr(home, 5, 1)) - 1
  where o.criteria ? 'id' and not o.criteria ? 'market' and o.markets is not null
  group by o.id
) as ids
where w.id = ids.id;
