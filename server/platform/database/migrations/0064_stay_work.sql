-- Who on a team has taken a visit, and until when the visit waits (docs/decisions/0064).

create table stay_work (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams (id) on delete cascade,
  encounter_id bigint not null references encounters (id) on delete cascade,
  owner_id bigint references users (id),
  owner jsonb check ((owner is null) = (owner_id is null)),
  wait jsonb,
  change_id bigint not null default 0,
  unique (team_id, encounter_id)
);
comment on table stay_work is 'What a team has arranged about a visit: who has taken it, and whether it waits. Outlives the close of the visit.';
comment on column stay_work.owner is 'The name of the user who has taken it, since when, and the name of who gave it to them.';
comment on column stay_work.wait is 'The day and time that end the wait, or none; the events that were known when it began, since any other one ends it; who set it, and when.';
comment on column stay_work.change_id is 'The last change: what a caller must have seen to make another one.';
create index on stay_work (encounter_id);
create index on stay_work (team_id, owner_id) where owner_id is not null;

create table stay_work_changes (
  id bigint generated always as identity primary key,
  stay_work_id bigint not null references stay_work (id) on delete cascade,
  kind text not null check (kind in ('ASSIGN', 'SNOOZE', 'HAND_OVER')),
  before jsonb not null,
  after jsonb not null,
  user_id bigint not null references users (id),
  display_name text not null,
  changed_at timestamptz not null
);
comment on table stay_work_changes is 'The history of stay_work: who gave what to whom, and when. Never changed.';
comment on column stay_work_changes.before is 'Owner, with the user''s id, and wait, as in stay_work.';
comment on column stay_work_changes.display_name is 'The name of the user at that time.';
create index on stay_work_changes (stay_work_id, id);
create index on stay_work_changes (user_id, changed_at);
create index on management_statuses (user_id, changed_at);

alter table stay_work enable row level security;
alter table stay_work_changes enable row level security;
create policy of_team on stay_work to tidings_app using (
  team_id = (select acting_team()) and exists (select from encounters e where e.id = encounter_id));
create policy of_team on stay_work_changes to tidings_app using (exists (select from stay_work w where w.id = stay_work_id))
  with check (user_id = (select acting_user()) and exists (select from stay_work w where w.id = stay_work_id));
create policy pipeline on stay_work to tidings_pipeline using (true);
create policy pipeline on stay_work_changes to tidings_pipeline using (true);
grant select, insert, update (owner_id, owner, wait, change_id) on stay_work to tidings_app;
grant select, insert on stay_work_changes to tidings_app;
grant select on stay_work, stay_work_changes to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

alter table change_log drop constraint change_log_kind_check;
alter table change_log add constraint change_log_kind_check
  check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person', 'work'));

-- Lists follow it, also those of a person whom the visit was once taken to be. Open pages of the team learn the row, by its id.
create function log_stay_work() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  perform log_persons(array_agg(rows.person_id), array_agg(rows.group_id))
  from (
    select e.person_id, e.group_id from new_rows w join encounters e on e.id = w.encounter_id
    union
    select r.person_id, e.group_id
    from new_rows w join encounters e on e.id = w.encounter_id join pings p on p.encounter_id = w.encounter_id
      join roster_patients r on r.id = p.roster_patient_id) rows;
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'work', 'changed', p.group_id, w.id, now()
  from new_rows w join pings p on p.encounter_id = w.encounter_id
    join team_groups t on t.team_id = w.team_id and t.group_id = p.group_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;
comment on function log_stay_work is 'Logs changes of who has taken a visit, and of waits.';
revoke execute on function log_stay_work from public;
create trigger logs_update after update on stay_work referencing new table as new_rows
  for each statement execute function log_stay_work();

create function team_colleagues() returns table (id bigint, name text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select u.id, u.first_name || ' ' || u.last_name
  from users u
  where u.disabled_at is null and u.activated_at is not null and exists (
    select from grants n join roles r on r.id = n.role_id
    where n.user_id = u.id and n.team_id = acting_team()
      and 'canViewPings' = any (r.permissions || n.added) and not 'canViewPings' = any (n.removed)) $$;
comment on function team_colleagues is 'The active users who may see pings on the acting team, by id and name: a visit can be given to them.';
revoke execute on function team_colleagues from public;
grant execute on function team_colleagues to tidings_app;
