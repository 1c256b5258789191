-- The list of held patients says who was reported as dead, by the rule of the look-up.
create function visits_of_held(held bigint) returns setof encounters
language sql stable security definer set search_path = tidings, pg_temp as $$
  select e.*
  from held_patients h join encounters e on e.person_id = h.person_id and e.status in ('IN_PROGRESS', 'ON_LEAVE', 'FINISHED')
    join groups g on g.id = e.group_id
  where h.id = held and h.admitted_at is null and h.group_id = any (current_groups())
    and (not g.is_part2_facility or e.group_id = h.group_id or exists (
      select from consents c
      where c.person_id = e.person_id and c.facility_group_id = e.group_id and c.recipient_group_id = h.group_id and c.ended_at is null)) $$;
comment on function visits_of_held is 'All visits that a facility may see of the person whom it holds, however old. Those at a 42 CFR Part 2 facility need a consent for this facility.';

create function death_of_held(held bigint) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  with shown as materialized (select id, person_id, source_patient_id, state from visits_of_held(held)),
    deaths as materialized (
      select min(v.event_day) as event_day, bool_and(coalesce(s.state ->> 'deathDenied' = 'true', false)) as is_denied
      from shown s join events v on v.encounter_id = s.id and v.code = 'DECEASED' and v.state <> 'CANCELLED'),
    dead as materialized (
      select p.deceased_on from source_patients p where p.deceased and exists (
        select from shown s where s.source_patient_id = p.id and s.person_id = p.person_id))
  select jsonb_build_object(
    'listingIds', (select coalesce(jsonb_agg(l.id::text order by l.id), '[]') from listings_of_held(held) l),
    'deceased', exists (select from dead),
    'deceasedDate', (select coalesce((select max(d.deceased_on) from dead d), deaths.event_day) from deaths where exists (select from dead)),
    'isDeathInDoubt', (select coalesce(deaths.is_denied, false) from deaths)) $$;
comment on function death_of_held is 'Whether the person whom a facility holds was reported as dead, as far as the facility may see the visits, and the programs'' listings of that person. The caller checks that the hold has not expired.';

create or replace function look_up_held(held bigint, since timestamptz) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listed as materialized (select * from listings_of_held(held))
  select death_of_held(held) || jsonb_build_object(
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
      select coalesce(jsonb_agg(jsonb_build_object('facility', g.name, 'isPart2Facility', g.is_part2_facility, 'setting', s.setting,
        'admittedDate', s.admitted_at, 'dischargedDate', s.discharged_at, 'isOpen', s.status in ('IN_PROGRESS', 'ON_LEAVE'))
        order by s.admitted_at desc nulls last, s.id desc), '[]')
      from visits_of_held(held) s join groups g on g.id = s.group_id where s.status <> 'FINISHED' or coalesce(s.discharged_at, s.admitted_at) >= since)) $$;

revoke all on function visits_of_held(bigint), death_of_held(bigint) from public;
grant execute on function death_of_held(bigint) to tidings_app;
