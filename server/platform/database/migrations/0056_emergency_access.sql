-- Emergency access ("break the glass"): for an hour, one user reads visits that a patient's listing does not open, where the facility's organization
-- allows it.

alter table organizations add column allows_emergency_access boolean not null default false;
comment on column organizations.allows_emergency_access is 'Whether users elsewhere who list a patient may open the patient''s visits at this organization''s facilities in an emergency.';
grant update (allows_emergency_access) on organizations to tidings_app;

create table emergency_accesses (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  team_id bigint not null references teams (id),
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  facility_group_ids bigint[] not null,
  reason text not null check (length(reason) between 1 and 500),
  is_medical_emergency boolean not null,
  began_at timestamptz not null,
  ends_at timestamptz not null
);
comment on table emergency_accesses is 'Who opened visits in an emergency, why and until when. Rows are never changed.';
comment on column emergency_accesses.roster_patient_id is 'The listing of the patient by one of the team''s groups.';
comment on column emergency_accesses.facility_group_ids is 'The facilities whose visits were opened; their administrators were mailed.';
comment on column emergency_accesses.is_medical_emergency is 'Opens visits at 42 CFR Part 2 facilities too (42 CFR 2.51).';
create index on emergency_accesses (user_id, ends_at);
create index on emergency_accesses (roster_patient_id);

alter table emergency_accesses enable row level security;
create policy of_user on emergency_accesses for select to tidings_app using (user_id = (select acting_user()));
create policy pipeline on emergency_accesses to tidings_pipeline using (true);
grant select on emergency_accesses to tidings_app;
grant select, insert on emergency_accesses to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

create function current_emergencies() returns bigint[]
language sql stable as $$ select nullif(current_setting('tidings.emergencies', true), '')::bigint[] $$;
comment on function current_emergencies is 'The emergency accesses of the acting user that are in force. Null unless the server sets them.';
grant execute on function current_emergencies to tidings_app, tidings_pipeline;
