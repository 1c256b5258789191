-- Who has a patient open right now, so that two people do not call the same patient.

create table patient_viewers (
  team_id bigint not null references teams (id) on delete cascade,
  person_id bigint not null references persons (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  display_name text not null,
  seen_at timestamptz not null,
  primary key (team_id, person_id, user_id)
);
comment on table patient_viewers is 'Which users of a team have a patient open. A page says so every 15 seconds; what is older than 40 seconds has expired, and is deleted by the next call of the team or the daily job.';

alter table patient_viewers enable row level security;
create policy of_team on patient_viewers to tidings_app using (team_id = (select acting_team()))
  with check (
    team_id = (select acting_team()) and user_id = (select acting_user())
    and exists (select from roster_patients r where r.person_id = patient_viewers.person_id));
create policy pipeline on patient_viewers to tidings_pipeline using (true);
grant select, insert, update (seen_at, display_name), delete on patient_viewers to tidings_app;
grant select, delete on patient_viewers to tidings_pipeline;
