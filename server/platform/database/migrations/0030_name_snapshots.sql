-- How common names are on the installation's own lists, frozen under a number that is part of the matcher's version (docs/matching.md).

create table name_snapshots (
  number integer generated always as identity primary key,
  created_at timestamptz not null,
  people integer not null check (people > 0),
  given_names jsonb not null,
  family_names jsonb not null
);
comment on table name_snapshots is 'Shares of names among everyone on a roster, for the matcher (docs/matching.md). Only names that at least 20 people have and that are more common than in the United States. Rows are never changed; the newest one counts.';
comment on column name_snapshots.people is 'How many people were counted.';
comment on column name_snapshots.given_names is 'Shares by normalized given name.';
comment on column name_snapshots.family_names is 'Shares by normalized family name.';
alter table name_snapshots enable row level security;
create policy pipeline on name_snapshots for all to tidings_pipeline using (true);
grant select, insert on name_snapshots to tidings_pipeline;
