alter table property add column stations jsonb;
comment on column property.stations is 'Stations of map layers within half a mile of the lot, the nearest first. Null where no map shows them.';
comment on column parcel_layer.detail is 'Slope in percent, buildings, or stations.';
