-- Tags that teams give to their patients. Tags of rosters stay in their columns, because each upload replaces those.

create function acting_team() returns bigint
language sql stable as $$ select nullif(current_setting('tidings.team_id', true), '')::bigint $$;
comment on function acting_team is 'The team whose own rows the current transaction may see. Null unless the server sets it.';

create table tags (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  created_by bigint references users (id)
);
comment on table tags is 'The tags that a team has made.';
create unique index tags_name on tags (team_id, lower(name));

create table patient_tags (
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  set_at timestamptz not null,
  set_by bigint references users (id),
  primary key (roster_patient_id, tag_id)
);
comment on table patient_tags is 'Which patients a team has tagged.';
comment on column patient_tags.roster_patient_id is 'A listing of the patient by one of the team''s groups, so that the tag follows the listing if it is linked to another person.';
create index on patient_tags (tag_id);

alter table tags enable row level security;
alter table patient_tags enable row level security;
create policy of_team on tags to tidings_app using (team_id = (select acting_team()));
create policy of_team on patient_tags to tidings_app using (
  exists (select from tags t where t.id = patient_tags.tag_id)
  and exists (select from roster_patients r where r.id = patient_tags.roster_patient_id));
create policy pipeline on tags to tidings_pipeline using (true);
create policy pipeline on patient_tags to tidings_pipeline using (true);

grant select, insert on tags to tidings_app, tidings_pipeline;
grant select, insert, delete on patient_tags to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
grant execute on function acting_team to tidings_app, tidings_pipeline;

-- Lists follow tags as they follow statuses.
create function log_rows_of_own_listings() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform log_persons(array_agg(r.person_id), array_agg(r.group_id))
    from old_rows join roster_patients r on r.id = roster_patient_id;
  else
    perform log_persons(array_agg(r.person_id), array_agg(r.group_id))
    from new_rows join roster_patients r on r.id = roster_patient_id;
  end if;
  return null;
end $$;
comment on function log_rows_of_own_listings is 'Logs changes of what a team or group keeps about its own listings.';
revoke execute on function log_rows_of_own_listings from public;
create trigger logs_insert after insert on patient_tags referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
create trigger logs_delete after delete on patient_tags referencing old table as old_rows
  for each statement execute function log_rows_of_own_listings();
