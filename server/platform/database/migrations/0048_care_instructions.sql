-- What a program or facility asks others to do when its patient is admitted or discharged, with a form to fill in.

create table care_instructions (
  id bigint generated always as identity primary key,
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  group_id bigint not null references groups (id),
  kind text not null check (kind in ('ADMIT', 'DISCHARGE')),
  instruction text not null,
  instruction_order integer not null,
  version integer not null default 1,
  created_at timestamptz not null,
  created_by bigint references users (id),
  modified_at timestamptz not null,
  modified_by bigint references users (id),
  ended_at timestamptz
);
comment on table care_instructions is 'Admit and discharge care instructions, as a group entered them. Ended, not deleted.';
comment on column care_instructions.roster_patient_id is 'As in care_team_records.';
comment on column care_instructions.instruction_order is '1, 2, 3 and so on within a patient, group and kind.';
create index on care_instructions (roster_patient_id) where ended_at is null;

create table care_files (
  id bigint generated always as identity primary key,
  instruction_id bigint not null unique references care_instructions (id) on delete cascade,
  file_name text not null,
  content_type text not null check (content_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size > 0),
  uploaded_at timestamptz not null,
  uploaded_by bigint references users (id)
);
comment on table care_files is 'The form of an instruction. A new upload replaces it.';
comment on column care_files.content_type is 'As its first bytes say.';
comment on column care_files.size is 'Bytes.';

create table care_file_chunks (
  file_id bigint not null references care_files (id) on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (file_id, position)
);
comment on table care_file_chunks is 'A file in parts, so that no statement holds all of it.';
-- Files are compressed already.
alter table care_file_chunks alter column bytes set storage external;

alter table care_instructions enable row level security;
alter table care_files enable row level security;
alter table care_file_chunks enable row level security;
create policy of_readers on care_instructions for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[]) or shares_care(roster_patient_id));
create policy of_group on care_instructions for insert to tidings_app with check (
  group_id = any ((select current_groups())::bigint[])
  and exists (select from roster_patients r where r.id = roster_patient_id and r.group_id = care_instructions.group_id));
create policy of_group_changes on care_instructions for update to tidings_app using (
  group_id = any ((select current_groups())::bigint[]));
create policy of_readers on care_files for select to tidings_app using (
  exists (select from care_instructions i where i.id = instruction_id));
create policy of_group on care_files for insert to tidings_app with check (
  exists (select from care_instructions i where i.id = instruction_id and i.group_id = any ((select current_groups())::bigint[])));
create policy of_group_removes on care_files for delete to tidings_app using (
  exists (select from care_instructions i where i.id = instruction_id and i.group_id = any ((select current_groups())::bigint[])));
create policy of_readers on care_file_chunks for select to tidings_app using (
  exists (select from care_files f where f.id = file_id));
create policy of_group on care_file_chunks for insert to tidings_app with check (
  exists (
    select from care_files f join care_instructions i on i.id = f.instruction_id
    where f.id = file_id and i.group_id = any ((select current_groups())::bigint[])));
create policy pipeline on care_instructions to tidings_pipeline using (true);
create policy pipeline on care_files to tidings_pipeline using (true);
create policy pipeline on care_file_chunks to tidings_pipeline using (true);
grant select, insert, update on care_instructions to tidings_app, tidings_pipeline;
grant select, insert, delete on care_files to tidings_app, tidings_pipeline;
grant select, insert on care_file_chunks to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

create trigger logs_insert after insert on care_instructions referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
create trigger logs_update after update on care_instructions referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
