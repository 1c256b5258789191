-- Care-team records: who looks after a patient, how to reach them, who is called first, and the care plan of that program.

-- What a team writes about its patient is kept with a listing, but read by every team that lists the person now. Row-level security hides other
-- groups' listings, so two narrow functions look past it.

create function shares_care(listing bigint) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from roster_patients own
      join groups g on g.id = own.group_id and not g.is_part2_facility
      join roster_patients mine on mine.person_id = own.person_id and mine.group_id = any (current_groups())
    where own.id = listing and (mine.left_at is null or exists (
      select from encounters e
      where e.person_id = mine.person_id and e.group_id = mine.group_id and e.status in ('IN_PROGRESS', 'ON_LEAVE')))) $$;
comment on function shares_care is 'Whether what is written about this listing is shared with the transaction''s groups: they list the person now, or the person is at their facility. What a 42 CFR Part 2 facility writes is never shared.';

create function care_listings(person bigint) returns setof bigint
language sql stable security definer set search_path = tidings, pg_temp as $$
  select r.id from roster_patients r
  where r.person_id = person and exists (
    select from roster_patients mine where mine.person_id = person and mine.group_id = any (current_groups())) $$;
comment on function care_listings is 'The listings of a person by any group, for groups that list the person too or did. Ids only: whether what is written about a listing is shared is decided by shares_care.';

create function programs_of(person bigint) returns table (organization text, program text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select distinct o.name, listed.program
  from roster_patients r
    join groups g on g.id = r.group_id
    join organizations o on o.id = g.organization_id
    cross join unnest(r.programs) as listed (program)
  where r.person_id = person and r.left_at is null and (r.group_id = any (current_groups()) or shares_care(r.id))
  order by 1, 2 $$;
comment on function programs_of is 'The programs of a person, from the current listings of the transaction''s groups and those that are shared with them.';
revoke execute on function shares_care, care_listings, programs_of from public;
grant execute on function shares_care, care_listings, programs_of to tidings_app, tidings_pipeline;

create table care_team_records (
  id bigint generated always as identity primary key,
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  group_id bigint not null references groups (id),
  program text,
  contact_name text not null,
  contact_job_title text,
  contact_phone text,
  contact_email text,
  contact_fax text,
  content text,
  is_called_first boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  created_by bigint references users (id),
  modified_at timestamptz not null,
  modified_by bigint references users (id),
  ended_at timestamptz
);
comment on table care_team_records is 'People of a patient''s care team, as a group entered them. Ended, not deleted.';
comment on column care_team_records.roster_patient_id is 'A listing of the patient by the group, so that the record follows the listing if it is linked to another person.';
comment on column care_team_records.content is 'The care plan of this program. Only the group''s own users with canViewCarePlans read it.';
comment on column care_team_records.is_called_first is 'Whom to call first, by the group that entered it: at most one record of a patient and group.';
create index on care_team_records (roster_patient_id) where ended_at is null;
create unique index care_team_records_called_first on care_team_records (roster_patient_id) where is_called_first and ended_at is null;

alter table care_team_records enable row level security;
create policy of_readers on care_team_records for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[]) or shares_care(roster_patient_id));
create policy of_group on care_team_records for insert to tidings_app with check (
  group_id = any ((select current_groups())::bigint[])
  and exists (select from roster_patients r where r.id = roster_patient_id and r.group_id = care_team_records.group_id));
create policy of_group_changes on care_team_records for update to tidings_app using (
  group_id = any ((select current_groups())::bigint[]));
create policy pipeline on care_team_records to tidings_pipeline using (true);
grant select, insert, update on care_team_records to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

create trigger logs_insert after insert on care_team_records referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
create trigger logs_update after update on care_team_records referencing new table as new_rows
  for each statement execute function log_rows_of_own_listings();
