-- Recorded sales by criteria: one narrow row per sale with every value that the list filters and sorts by, so that a condition never
-- joins the wide tables of sales and properties. src/store/search/sale-facts.ts defines the values, sale-upkeep.ts writes them.
create table sale_search (
  market              text not null,
  source_id           text not null,
  sale_id             text not null,
  property_id         text,
  known_from_listing  boolean not null,
  city_slug           text not null,
  zip                 text,
  sold_on             date not null,
  price               double precision not null,
  price_per_sqft      double precision,
  days_on_market      integer,
  property_type       text,
  sqft                double precision,
  lot_size            double precision,
  beds                double precision,
  baths               double precision,
  year_built          integer,
  overlays_yes        text[] not null,
  location            point,
  foreign key (market, source_id, sale_id) references sale (market, source_id, sale_id) on delete cascade
) with (
  -- As for property_search.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
);
-- Each has the values of the usual conditions, so that a page and its total read only the index. The key has columns that are never
-- null, so that both directions of a sort use it.
create index sale_search_day on sale_search (market, sold_on)
  include (source_id, sale_id, city_slug, price, sqft, lot_size, beds, location);
create index sale_search_price on sale_search (market, price) include (source_id, sale_id, city_slug, sold_on, sqft, beds);
create index sale_search_city on sale_search (market, city_slug, sold_on) include (source_id, sale_id, price, sqft, lot_size, beds);
create index sale_search_zip on sale_search (market, zip, sold_on) include (source_id, sale_id, price, sqft, beds);
-- By tile, about a mile wide: src/store/search/compile.ts. The planner knows how many rows a tile has; for a GiST index on points it
-- assumes a thousandth of the table whatever the area.
create index sale_search_location on sale_search ((floor(location[1] * 50)::int * 18000 + floor(location[0] * 50)::int))
  include (market, location, source_id, sale_id, sold_on, price, sqft, beds);
-- Added last, as in 0001_properties.sql.
alter table sale_search add primary key (market, source_id, sale_id);
comment on table sale_search is 'What the list of sales filters and sorts by, one row per sale that its feed contains, written by the runs that change the sale or its property.';
comment on column sale_search.known_from_listing is 'Its property is known only through a listing. A history window may hide it.';
comment on column sale_search.sqft is 'Living area. Facts of the house come from the sale first, or from the parcel if its house stood at the time; lot size and location come from the parcel first.';
comment on column sale_search.overlays_yes is 'The overlays that lie over the parcel.';
comment on column sale_search.location is 'Longitude, latitude.';
