-- A message about a patient, such as A31, says nothing about a visit: its facts hold a JSON null, from which no key can be taken.
create or replace function messages_of_event(event bigint)
 RETURNS TABLE(message_id bigint, received_at timestamp with time zone, is_named boolean, trigger text, control_id text, sent_at text, content_hash text, outcome text, entered_by text, is_entered boolean, is_stored boolean, said jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select f.message_id, f.received_at, ev.detail -> 'factIds' ? f.id::text, case when shown.all then f.adt ->> 'trigger' end,
    f.adt ->> 'controlId', f.adt #>> '{sentAt,instant}', f.adt ->> 'contentHash', case when shown.all then f.outcome end,
    (select u.first_name || ' ' || u.last_name from users u, users me
      where u.id = (f.adt #>> '{enteredBy,userId}')::bigint and me.id = acting_user() and u.organization_id = me.organization_id),
    f.adt ? 'enteredBy',
    exists (select from messages m where m.id = f.message_id and m.received_at = f.received_at and m.raw is not null),
    case when shown.all then nullif(f.adt -> 'visit', 'null') - array['payers', 'visitNumber', 'accountNumber', 'alternateVisitId'] end
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
  order by f.received_at, f.id $function$;
