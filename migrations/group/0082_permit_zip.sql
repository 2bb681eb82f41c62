-- Permits by ZIP code without reading the homes of the ZIP code and their permits. The next assessment of a market fills it.
alter table permit_search add column zip text;
comment on column permit_search.zip is 'Of the parcel. Not of a home known only through a listing, which a history window may hide.';
