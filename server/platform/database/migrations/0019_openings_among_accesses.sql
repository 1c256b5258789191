-- How a group came to read visits elsewhere belongs to the question who has seen a patient, and so do messages about the patient.

drop function patient_accesses(bigint, bigint, int, int);
create function patient_accesses(listing bigint, organization bigint, page_size int, page_offset int)
returns table (id bigint, at timestamptz, user_id bigint, team_id bigint, group_id bigint, action text, is_subject boolean, detail jsonb, total bigint)
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listings as materialized (
    select r.person_id, array_agg(r.id) as ids from roster_patients r
    where r.person_id = (select l.person_id from roster_patients l where l.id = listing)
    group by r.person_id
  ), found as (
    select e.id, e.at, e.user_id, e.team_id, null::bigint, e.action, e.subject_id = any (listings.ids), e.detail
    from listings, audit_entries e join teams t on t.id = e.team_id
    where e.patient_ids && listings.ids and (organization is null or t.organization_id = organization)
    union all
    select o.id, o.at, o.user_id, null, o.group_id, 'record.open', true,
      jsonb_build_object('how', o.how, 'from', o.opens_from, 'visits', o.foreign_visits)
    from listings join record_openings o on o.person_id = listings.person_id join groups g on g.id = o.group_id
    where organization is null or g.organization_id = organization
  )
  select found.*, count(*) over () from found
  order by 2 desc, 1 desc
  limit page_size offset page_offset
$$;
comment on function patient_accesses(bigint, bigint, int, int) is 'Audit entries about the person of a roster patient, and openings of that person''s visits elsewhere, newest first, by the teams and groups of an organization, or of all. They hold ids only. The caller checks who may ask.';
revoke execute on function patient_accesses(bigint, bigint, int, int) from public;
grant execute on function patient_accesses(bigint, bigint, int, int) to tidings_app;

create function patients_of_message(message bigint) returns setof bigint
language sql stable security definer set search_path = tidings, pg_temp as $$
  select r.id from facts f
    join source_patients s on s.id = f.source_patient_id
    join roster_patients r on r.person_id = s.person_id
  where f.message_id = message
$$;
comment on function patients_of_message(bigint) is 'Roster patients whom a message is about, for the audit log. The caller checks who may see the message.';
revoke execute on function patients_of_message(bigint) from public;
grant execute on function patients_of_message(bigint) to tidings_app;
