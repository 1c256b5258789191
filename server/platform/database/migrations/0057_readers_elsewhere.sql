-- Which other organizations have read a patient's record, for the administrators of a group that lists the patient.

create function readers_elsewhere(listing bigint, organization bigint)
returns table (name text, reads bigint, emergencies bigint, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listings as materialized (
    select array_agg(r.id) as ids from roster_patients r
    where r.person_id = (select l.person_id from roster_patients l where l.id = listing)
  )
  select o.name, count(*), count(*) filter (where e.action = 'emergency.open'), min(e.at), max(e.at)
  from listings join audit_entries e on e.patient_ids && listings.ids
    join teams t on t.id = e.team_id join organizations o on o.id = t.organization_id
  where t.organization_id <> organization
    and e.action not in ('access.refused', 'record.open', 'patient.accesses', 'patient.accesses-export')
    and e.action not like 'message.%' and e.action not like 'match-review.%' and e.action not like 'consent.%'
    -- That someone at a 42 CFR Part 2 facility reads the record says that the patient is treated there.
    and not exists (
      select from team_groups tg join groups g on g.id = tg.group_id where tg.team_id = t.id and g.is_part2_facility)
  group by o.id order by max(e.at) desc, o.id $$;
comment on function readers_elsewhere is 'The organizations other than this one whose teams have read the record of the person of a roster patient, without their users and without teams of 42 CFR Part 2 facilities. The caller checks who may ask.';
revoke execute on function readers_elsewhere from public;
grant execute on function readers_elsewhere to tidings_app;

create function emergencies_at(facilities bigint[])
returns table (id bigint, at timestamptz, organization text, facility_ids bigint[], listing bigint, reason text, is_medical boolean)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select x.id, x.began_at, o.name, array(select unnest(x.facility_group_ids) intersect select unnest(facilities) order by 1),
    (select min(own.id) from roster_patients own where own.person_id = r.person_id and own.group_id = any (facilities)),
    x.reason, x.is_medical_emergency
  from emergency_accesses x join roster_patients r on r.id = x.roster_patient_id
    join teams t on t.id = x.team_id join organizations o on o.id = t.organization_id
  where x.facility_group_ids && facilities
  order by x.began_at desc, x.id desc limit 200 $$;
comment on function emergencies_at is 'The latest emergency accesses that opened visits at these facilities, with the reader''s organization but no user, and the patient as these facilities list them. The caller checks who may ask.';
revoke execute on function emergencies_at from public;
grant execute on function emergencies_at to tidings_app;
create index on emergency_accesses using gin (facility_group_ids);
