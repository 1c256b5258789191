-- Held patients (pre-admit): people whom a facility expects, for 72 hours (docs/decisions/0083).

create table held_patients (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups (id),
  first_name text not null,
  last_name text not null,
  gender text not null check (gender in ('Male', 'Female', 'Other', 'Unknown')),
  date_of_birth date not null,
  zip text,
  ssn_last4 text check (ssn_last4 ~ '^\d{4}$'),
  created_at timestamptz not null,
  created_by bigint references users (id),
  expires_at timestamptz not null,
  person_id bigint references persons (id) on delete set null,
  checked_at timestamptz,
  admitted_at timestamptz,
  encounter_id bigint references encounters (id) on delete set null
);
comment on table held_patients is 'People whom a facility expects. Deleted rows, and those that expire without an admission, are gone.';
comment on column held_patients.person_id is 'Whom the matcher linked without review when it was last asked; null if nobody. Never shown, and checked again before anything about the person is.';
comment on column held_patients.checked_at is 'When the matcher was last asked.';
comment on column held_patients.admitted_at is 'When an admission at the facility ended the hold.';
create index on held_patients (group_id) where admitted_at is null;
create index on held_patients (group_id, admitted_at);
create index on held_patients (expires_at);
create index on held_patients (person_id);
create index on held_patients (encounter_id);
create index on held_patients (created_by);

alter table held_patients enable row level security;
create policy of_group on held_patients to tidings_app using (group_id = any ((select current_groups())::bigint[]))
  with check (group_id = any ((select current_groups())::bigint[]));
create policy pipeline on held_patients to tidings_pipeline using (true);
grant select, delete on held_patients to tidings_app;
grant insert (group_id, first_name, last_name, gender, date_of_birth, zip, ssn_last4, created_at, created_by, expires_at) on held_patients to tidings_app;
grant select, insert, update, delete on held_patients to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;

-- The current listings by programs that a facility may learn of while it holds the person. What a 42 CFR Part 2 facility knows is not among them.
create function listings_of_held(held bigint) returns setof roster_patients
language sql stable security definer set search_path = tidings, pg_temp as $$
  select r.*
  from held_patients h join roster_patients r on r.person_id = h.person_id and r.left_at is null
    join groups g on g.id = r.group_id and g.type = 'PROGRAM' and not g.is_part2_facility
  where h.id = held and h.admitted_at is null and h.group_id = any (current_groups()) $$;
comment on function listings_of_held is 'The programs'' current listings of the person who is held, for the groups of the transaction. The caller checks that the hold has not expired.';
revoke execute on function listings_of_held from public;

create function organizations_of_held(held bigint) returns text[]
language sql stable security definer set search_path = tidings, pg_temp as $$
  select coalesce(array_agg(distinct o.name order by o.name), '{}')
  from listings_of_held(held) r join groups g on g.id = r.group_id join organizations o on o.id = g.organization_id $$;
comment on function organizations_of_held is 'The organizations that list the person who is held.';

create function look_up_held(held bigint, since timestamptz) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listed as materialized (select * from listings_of_held(held))
  select jsonb_build_object(
    'listingIds', (select coalesce(jsonb_agg(l.id::text order by l.id), '[]') from listed l),
    'programs', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('organization', o.name, 'program', p.name)), '[]')
      from listed l join groups g on g.id = l.group_id join organizations o on o.id = g.organization_id
        cross join unnest(case when l.programs = '{}' then array[g.name] else l.programs end) as p (name)),
    'instructions', (
      select coalesce(jsonb_agg(jsonb_build_object('organization', o.name, 'instruction', i.instruction) order by o.name, i.instruction_order, i.id), '[]')
      from listed l join care_instructions i on i.roster_patient_id = l.id and i.kind = 'ADMIT' and i.ended_at is null
        join groups g on g.id = i.group_id join organizations o on o.id = g.organization_id),
    'careTeam', (
      select coalesce(jsonb_agg(jsonb_build_object('organization', o.name, 'name', c.name, 'title', c.title, 'phone', c.phone) order by o.name, c.name), '[]')
      from listed l join groups g on g.id = l.group_id join organizations o on o.id = g.organization_id
        cross join lateral (
          select t.contact_name as name, t.contact_job_title as title, t.contact_phone as phone
          from care_team_records t where t.roster_patient_id = l.id and t.ended_at is null
          union
          select coordinator.name, 'Care coordinator', null from unnest(l.care_coordinators) as coordinator (name)) c),
    'visits', (
      select coalesce(jsonb_agg(jsonb_build_object('facility', g.name, 'isPart2Facility', g.is_part2_facility, 'setting', e.setting, 'admittedDate', e.admitted_at,
        'dischargedDate', e.discharged_at, 'isOpen', e.status in ('IN_PROGRESS', 'ON_LEAVE')) order by e.admitted_at desc nulls last, e.id desc), '[]')
      from held_patients h join encounters e on e.person_id = h.person_id and e.status in ('IN_PROGRESS', 'ON_LEAVE', 'FINISHED')
        join groups g on g.id = e.group_id
      where h.id = held and h.admitted_at is null and h.group_id = any (current_groups())
        and (e.status <> 'FINISHED' or coalesce(e.discharged_at, e.admitted_at) >= since)
        and (not g.is_part2_facility or e.group_id = h.group_id or exists (
          select from consents c
          where c.person_id = e.person_id and c.facility_group_id = e.group_id and c.recipient_group_id = h.group_id and c.ended_at is null)))) $$;
comment on function look_up_held is 'What a facility sees of the person whom it holds: programs, instructions for an admission, care team and visits since then. A 42 CFR Part 2 facility''s visits need a consent for this facility. The caller checks that the match is automatic now and that the hold has not expired.';
revoke execute on function organizations_of_held, look_up_held from public;
grant execute on function organizations_of_held, look_up_held to tidings_app;
