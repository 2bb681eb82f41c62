-- Storeys as a listing or a sale tells them, as it does of beds and years: a parcel roll often does not.

alter table listing add column storeys double precision;
alter table sale add column storeys double precision;
