-- For the trigram indexes in the group schemas, which find parts of addresses and of words in permits.
create extension if not exists pg_trgm with schema public;
