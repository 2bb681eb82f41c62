-- online
-- For permits sorted by valuation: without it, all permits are sorted for one page.
create index concurrently if not exists permit_search_valuation on permit_search (valuation_usd desc nulls last);
