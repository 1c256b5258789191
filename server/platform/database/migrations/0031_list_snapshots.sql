-- A snapshot holds more than names: how many people of one home are listed together.

alter table name_snapshots rename to list_snapshots;
alter table list_snapshots rename constraint name_snapshots_pkey to list_snapshots_pkey;
alter table list_snapshots rename constraint name_snapshots_people_check to list_snapshots_people_check;
-- The published counts of relatives are below 2 a home, so that snapshots taken before keep them.
alter table list_snapshots add column housemates real not null default 2 check (housemates >= 0);
alter table list_snapshots alter column housemates drop default;
alter table list_snapshots add column persons integer not null default 0;
alter table list_snapshots alter column persons drop default;
comment on table list_snapshots is 'What the installation''s own lists are like, for the matcher (docs/matching.md). Rows are never changed; the newest one counts.';
comment on column list_snapshots.given_names is 'Shares by normalized given name, of names that at least 20 people have and that are more common than in the United States.';
comment on column list_snapshots.family_names is 'Shares by normalized family name, as given_names.';
comment on column list_snapshots.housemates is 'How many others of the same home are listed beside someone listed, in the mean, rounded to the careful side.';
comment on column list_snapshots.persons is 'How many people were known, listed or not; 0 if that was not counted. The matcher takes 100,000 for the fewest.';
