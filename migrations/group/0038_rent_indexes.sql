-- online
-- A property view reads the rents of one ZIP code and county.
create index concurrently if not exists rent_by_zip on rent (market, zip);
create index concurrently if not exists rent_by_county on rent (market, county);
