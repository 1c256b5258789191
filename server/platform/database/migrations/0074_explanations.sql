-- What explains a ping to the team that got it: the messages behind its visit, how the visit's record was linked, and who on the team has opened it.

create function messages_of_event(event bigint)
returns table (
  message_id bigint, received_at timestamptz, is_named boolean, trigger text, control_id text, sent_at text, content_hash text, outcome text,
  entered_by text, is_entered boolean, is_stored boolean, said jsonb)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select f.message_id, f.received_at, ev.detail -> 'factIds' ? f.id::text, case when shown.all then f.adt ->> 'trigger' end,
    f.adt ->> 'controlId', f.adt #>> '{sentAt,instant}', f.adt ->> 'contentHash', case when shown.all then f.outcome end,
    (select u.first_name || ' ' || u.last_name from users u, users me
      where u.id = (f.adt #>> '{enteredBy,userId}')::bigint and me.id = acting_user() and u.organization_id = me.organization_id),
    f.adt ? 'enteredBy',
    exists (select from messages m where m.id = f.message_id and m.received_at = f.received_at and m.raw is not null),
    case when shown.all then (f.adt -> 'visit') - array['payers', 'visitNumber', 'accountNumber', 'alternateVisitId'] end
  from events ev
    join encounters e on e.id = ev.encounter_id
    join facts f on f.encounter_id = e.id
      or f.id in (select named::bigint from jsonb_array_elements_text(ev.detail -> 'factIds') as named)
    join source_patients s on s.id = f.source_patient_id
    join groups sender on sender.id = s.group_id
    -- On a feed that a 42 CFR Part 2 facility uses too, the kind of message could show that the patient came from there or went there. What is left
    -- out depends on the feed, so that it says nothing about a patient.
    cross join lateral (
      select (s.group_id = e.group_id or not sender.is_part2_facility) and not exists (
        select from feed_facilities ff join groups g on g.id = ff.group_id
        where ff.feed_id = f.shared_feed_id and g.is_part2_facility and g.id <> e.group_id) as all) shown
  where ev.id = event and exists (
    select from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = ev.id and p.group_id = any (current_groups()) and r.person_id = e.person_id)
  order by f.received_at, f.id $$;
comment on function messages_of_event is 'The messages about the visit of an event that one of the transaction''s groups was pinged about, without payers and numbers. The caller checks who may read the visit.';

create function link_of_visit(visit bigint, listing bigint)
returns table (is_listing boolean, outcome text, created_at timestamptz, decided_by text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select l.subject = 'ROSTER_PATIENT', l.outcome, l.created_at,
    (select u.first_name || ' ' || u.last_name from users u, users me
      where u.id = l.decided_by and me.id = acting_user() and u.organization_id = me.organization_id)
  from encounters e
    join roster_patients r on r.id = listing and r.group_id = any (current_groups())
    join pings p on p.encounter_id = e.id and p.roster_patient_id = r.id
    -- Of the two links only the newer one: the other was made with someone else's record, and would show that there is one.
    cross join lateral (
      select * from (
        (select * from person_links where subject = 'SOURCE_PATIENT' and subject_id = e.source_patient_id order by id desc limit 1)
        union all
        (select * from person_links where subject = 'ROSTER_PATIENT' and subject_id = r.id order by id desc limit 1)) newest
      order by newest.id desc limit 1) l
  where e.id = visit
  limit 1 $$;
comment on function link_of_visit is 'How the record of a visit and a listing that got a ping of it came to be one person: the newer of their links. A colleague who decided is named.';

create function evidence_of_visit(visit bigint) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  select l.evidence
  from encounters e
    join groups g on g.id = e.group_id
    cross join lateral (
      select p.* from person_links p where p.subject = 'SOURCE_PATIENT' and p.subject_id = e.source_patient_id order by p.id desc limit 1) l
  where e.id = visit and (e.group_id = any (managed_groups()) or administers_everything()) and g.is_automated
    and not exists (select from facts f where f.source_patient_id = e.source_patient_id and f.adt ? 'enteredBy') $$;
comment on function evidence_of_visit is 'Why a visit''s record is linked to its person, as levels of agreement, for administrators of the facility and operators. Only of a record from a feed, as links_of.';

create function readers_of_visit(visit bigint, since timestamptz)
returns table (name text, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select name_of_user(a.user_id), min(a.at), max(a.at)
  from encounters e
    cross join lateral (
      select array_agg(r.id) as ids from roster_patients r
      where r.person_id = e.person_id and r.group_id = any (current_groups())) own
    join audit_entries a on a.patient_ids && own.ids
  where e.id = visit and a.at >= since and a.team_id = acting_team() and a.action in ('patient.view', 'ping.seen', 'ping.explain')
    and split_part(a.detail #>> '{asked,id}', '_', 2) = e.id::text and not a.detail ? 'isBackground'
  group by a.user_id
  order by 2 $$;
comment on function readers_of_visit is 'Who on the acting team has opened a visit since then, as the audit log has it.';

revoke execute on function messages_of_event, link_of_visit, evidence_of_visit, readers_of_visit from public;
grant execute on function messages_of_event, link_of_visit, evidence_of_visit, readers_of_visit to tidings_app, tidings_pipeline;
