create table photo_analysis (
  hash        text primary key,
  condition   text not null check (condition in ('C1', 'C2', 'C3', 'C4', 'C5', 'C6')),
  analysis    text not null,
  model       text not null,
  created_at  timestamptz not null default now()
);
comment on table photo_analysis is 'Answers of the vision model, by the hash of the photos.';
comment on column photo_analysis.hash is 'SHA-256 of the photos and the model, so that it belongs to no market.';
comment on column photo_analysis.condition is 'Fannie Mae condition rating, C1 (new) to C6.';
comment on column photo_analysis.analysis is 'The description of the photos by the model.';
comment on column photo_analysis.model is 'Name of the vision model.';
