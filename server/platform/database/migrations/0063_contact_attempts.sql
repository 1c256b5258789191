-- Attempts of a team to reach a patient or a caregiver, which count against the two business days after a discharge.

create table contact_attempts (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams (id) on delete cascade,
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  attempted_at timestamptz not null,
  channel text not null check (channel in ('CALL', 'TEXT', 'MESSAGE', 'VISIT')),
  outcome text not null check (outcome in ('REACHED', 'DECLINED', 'LEFT_MESSAGE', 'NO_ANSWER', 'WRONG_NUMBER')),
  note text not null default '' check (length(note) <= 500),
  user_id bigint not null references users (id),
  display_name text not null,
  created_at timestamptz not null,
  removed_at timestamptz
);
comment on table contact_attempts is 'When a team tried to reach a patient, how, and with what outcome. Removed ones stay on record.';
comment on column contact_attempts.roster_patient_id is 'A listing of the patient by one of the team''s groups, so that the attempt follows the listing if it is linked to another person.';
comment on column contact_attempts.display_name is 'The name of the user at that time.';
create index on contact_attempts (roster_patient_id);
create unique index contact_attempts_once on contact_attempts (team_id, roster_patient_id, user_id, attempted_at, channel, outcome)
  where removed_at is null;
comment on index contact_attempts_once is 'An attempt that is sent twice is kept once.';

alter table contact_attempts enable row level security;
create policy of_team on contact_attempts to tidings_app using (
  team_id = (select acting_team()) and exists (select from roster_patients r where r.id = roster_patient_id))
  with check (
    team_id = (select acting_team()) and user_id = (select acting_user())
    and exists (select from roster_patients r where r.id = roster_patient_id));
create policy pipeline on contact_attempts to tidings_pipeline using (true);
grant select, insert on contact_attempts to tidings_app, tidings_pipeline;
grant update (removed_at) on contact_attempts to tidings_app;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

-- Lists follow attempts as they follow tags.
create trigger logs_insert after insert on contact_attempts referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
create trigger logs_update after update on contact_attempts referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
