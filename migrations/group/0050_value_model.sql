-- The value model apart from the facts of a valuation, so that a process that answers requests loads only the model.
alter table valuation add column model bytea;

comment on column valuation.model is 'The value model, serialized by V8 and compressed. Null where the market has too few sales.';
