create table layer_shape (
  market     text not null,
  source_id  text not null,
  hash       text not null,
  part       integer not null,
  kind       text not null check (kind in ('area', 'line', 'point', 'grid')),
  value      text not null check (value in ('yes', 'no', 'unknown')),
  about      jsonb,
  rings      json not null,
  bounds     box not null,
  primary key (market, source_id, hash, part)
);
create index layer_shape_by_place on layer_shape using gist (bounds);
comment on table layer_shape is 'Shapes of map layers in each market that they touch, cut into parts of at most 128 positions.';
comment on column layer_shape.hash is 'Hash of the shape as the feed gives it, with its value: an unchanged shape is not written again.';
comment on column layer_shape.value is 'What the shape says of a lot that it covers.';
comment on column layer_shape.about is 'Name and tier of a station.';
comment on column layer_shape.rings is 'Flat lists of longitude and latitude: outer rings run counterclockwise, holes clockwise. Of a grid: columns, rows and slopes in percent.';
comment on column layer_shape.bounds is 'The box around the part, longitude first.';

create table parcel_layer (
  market       text not null,
  property_id  text not null,
  source_id    text not null,
  value        text not null check (value in ('yes', 'no', 'unknown')),
  share_pct    double precision,
  detail       jsonb,
  primary key (market, property_id, source_id),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
create index parcel_layer_by_source on parcel_layer (market, source_id);
comment on table parcel_layer is 'What each map layer says of a parcel. Nothing is stored where it says nothing.';
comment on column parcel_layer.share_pct is 'Part of the lot that the layer covers, in percent.';
comment on column parcel_layer.detail is 'Slope in percent, or buildings.';

alter table property add column feed_overlays jsonb;
alter table property add column overlay_sources jsonb;
alter table property add column buildings jsonb;
comment on column property.feed_overlays is 'Overlays of the parcel feed, where layers also say something. Otherwise they are in overlays.';
comment on column property.overlay_sources is 'The layer that an overlay, slopePct or buildings is from. Other overlays are from the parcel feed.';
comment on column property.buildings is 'Buildings on the lot from footprints, the largest first. Null where no map shows them.';
