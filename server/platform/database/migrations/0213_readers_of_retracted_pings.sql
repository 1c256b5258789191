-- Who on the team opened a visit also when it turned out to be another patient's: they may have acted on it.

create or replace function readers_of_visit(visit bigint, since timestamptz)
returns table (name text, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select name_of_user(a.user_id), min(a.at), max(a.at)
  from encounters e
    cross join lateral (
      select array_agg(listing.id) as ids from (
        select r.id from roster_patients r where r.person_id = e.person_id and r.group_id = any (current_groups())
        union
        select p.roster_patient_id from pings p where p.encounter_id = e.id and p.group_id = any (current_groups())) listing) own
    join audit_entries a on a.patient_ids && own.ids
  where e.id = visit and a.at >= since and a.team_id = acting_team() and a.action in ('patient.view', 'ping.seen', 'ping.explain')
    and split_part(a.detail #>> '{asked,id}', '_', 2) = e.id::text and not a.detail ? 'isBackground'
  group by a.user_id
  order by 2 $$;
