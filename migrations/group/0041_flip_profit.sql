-- The profit or loss of a renovation, which the verdict of a row states.
alter table assessment add column flip_profit_usd double precision;

comment on column assessment.flip_profit_usd is 'At the expected price, or at the asking price where none is expected.';
