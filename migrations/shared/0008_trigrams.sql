-- Trigram indexes in the group schemas find parts of an address and of a permit's words.
create extension if not exists pg_trgm with schema public;
