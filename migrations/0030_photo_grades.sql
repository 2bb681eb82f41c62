-- What a vision model saw in photos, by their hash, and which listing shows it. Kept apart from the listing so that the
-- feed's next run does not wipe it.

create table photo_analysis (
  hash        text primary key,
  condition   text not null check (condition in ('C1', 'C2', 'C3', 'C4', 'C5', 'C6')),
  analysis    text not null,
  model       text not null,
  created_at  timestamptz not null default now()
);

create table listing_photo_grade (
  source_id   text not null,
  listing_id  text not null,
  -- The addresses looked at: other photos are looked at again.
  photo_urls  text[] not null,
  condition   text not null check (condition in ('C1', 'C2', 'C3', 'C4', 'C5', 'C6')),
  analysis    text not null,
  model       text not null,
  graded_at   timestamptz not null default now(),
  primary key (source_id, listing_id),
  foreign key (source_id, listing_id) references listing (source_id, listing_id) on delete cascade
);
