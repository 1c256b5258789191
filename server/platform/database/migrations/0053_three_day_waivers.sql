-- Three-day waivers of stays at skilled nursing facilities (42 CFR 425.612, and the TEAM model): each change is a row.

create table three_day_waivers (
  id bigint generated always as identity primary key,
  encounter_id bigint not null references encounters (id) on delete cascade,
  group_id bigint not null references groups (id),
  status text not null check (status in ('NA', 'PENDING', 'APPROVED', 'NOT_APPROVED')),
  rule text not null check (rule in ('MSSP', 'TEAM')),
  confirmed text[] not null,
  changed_at timestamptz not null,
  changed_by bigint not null references users (id)
);
comment on table three_day_waivers is 'Every status that the waiver of a stay has had. The newest row counts; without one it is NA.';
comment on column three_day_waivers.group_id is 'The group for which the user changed it. Others see its name instead of the user''s.';
comment on column three_day_waivers.confirmed is 'Conditions that the user confirmed, because no message proves them.';
create index on three_day_waivers (encounter_id, id);

alter table three_day_waivers enable row level security;
create policy of_encounter on three_day_waivers for select to tidings_app using (
  exists (select from encounters e where e.id = encounter_id));
create policy of_group on three_day_waivers for insert to tidings_app with check (
  group_id = any ((select current_groups())::bigint[]) and changed_by = (select acting_user())
  and exists (select from encounters e where e.id = encounter_id));
create policy pipeline on three_day_waivers to tidings_pipeline using (true);
grant select, insert on three_day_waivers to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

create trigger logs_insert after insert on three_day_waivers referencing new table as new_rows
  for each statement execute function log_rows_of_encounters();
