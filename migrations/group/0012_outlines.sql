create table parcel_outline (
  market       text not null,
  property_id  text not null,
  source_id    text not null,
  polygons     json not null,
  bounds       box not null,
  primary key (market, property_id),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
create index parcel_outline_by_place on parcel_outline using gist (bounds);
comment on table parcel_outline is 'Outlines of parcels, for maps and include=shape. Apart from property, because few queries need them.';
comment on column parcel_outline.polygons is 'Coordinates of a GeoJSON MultiPolygon in WGS 84, simplified to about a foot.';
comment on column parcel_outline.bounds is 'The box around the outline, longitude first.';

create table street (
  market  text not null,
  id      integer not null,
  kind    text not null check (kind in ('street', 'road')),
  name    text,
  path    json not null,
  bounds  box not null,
  primary key (market, id)
);
create index street_by_place on street using gist (bounds);
comment on table street is 'Street centerlines of the sample markets, for the built-in base map. Empty with real data.';
comment on column street.path is 'Coordinates of a GeoJSON LineString in WGS 84.';
