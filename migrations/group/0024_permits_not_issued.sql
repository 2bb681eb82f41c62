-- For the number of permits without an issue date by city, which coverage shows.
create index permit_not_issued on permit (market, city_slug) where issued_on is null;
