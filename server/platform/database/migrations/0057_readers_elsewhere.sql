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
