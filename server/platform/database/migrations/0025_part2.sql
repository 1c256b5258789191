-- What happens at a 42 CFR Part 2 facility reaches only those to whom it may be disclosed, and lifting the mark is on record.

-- That a list changed is itself a sign of treatment, so a change at a Part 2 facility is logged with the facility, and one of a consent with its
-- recipient. Only that group's pages are notified, and those of groups with a consent (hasListingOf in server/work/live/live-events.ts).

drop function log_persons(bigint[]);
create function log_persons(person_ids bigint[], facility_ids bigint[]) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if current_setting('tidings.bulk', true) = 'on' then return; end if;
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'person', 'changed', part2.id, person.id, now()
  from unnest(person_ids, facility_ids) as person (id, facility_id)
    left join groups part2 on part2.id = person.facility_id and part2.is_part2_facility
  where not exists (
    select from change_log logged
    where logged.xid = pg_current_xact_id() and logged.kind = 'person' and logged.subject_id = person.id
      and (logged.group_id is null or logged.group_id = part2.id));
  if found then perform pg_notify('tidings_changes', ''); end if;
end $$;
comment on function log_persons is 'Logs that data of these persons changed, each at the facility in the same place of the other array.';

create or replace function log_rows_of_persons() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform log_persons(array_agg(person_id), array_agg(group_id)) from new_rows;
  else
    perform log_persons(array_agg(person_id), array_agg(group_id)) from (
      select person_id, group_id from new_rows union all select person_id, group_id from old_rows) as changed;
  end if;
  return null;
end $$;

create or replace function log_rows_of_encounters() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform log_persons(array_agg(e.person_id), array_agg(e.group_id)) from new_rows join encounters e on e.id = encounter_id;
  else
    perform log_persons(array_agg(e.person_id), array_agg(e.group_id))
    from (select encounter_id from new_rows union select encounter_id from old_rows) as event
      join encounters e on e.id = event.encounter_id;
  end if;
  return null;
end $$;

create or replace function log_rows_of_listings() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  perform log_persons(array_agg(r.person_id), array_agg(e.group_id))
  from new_rows join roster_patients r on r.id = roster_patient_id join encounters e on e.id = encounter_id;
  return null;
end $$;

create or replace function log_consents() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'person', 'disclosure', c.recipient_group_id, c.person_id, now() from new_rows c;
  if tg_op = 'UPDATE' then
    insert into change_log (kind, change, group_id, subject_id, changed_at)
    select distinct 'person', 'disclosure', c.recipient_group_id, c.person_id, now() from old_rows c;
  end if;
  perform pg_notify('tidings_changes', '');
  return null;
end $$;

revoke execute on function log_persons(bigint[], bigint[]) from public;

-- A transfer within a feed was kept with the feed's code of the destination. The facility itself is kept instead, because whether it may be
-- named is decided when the visit is read.
update encounters e set state = jsonb_set(e.state, '{dischargedTo}', 'null') || jsonb_build_object('transferredTo', there.group_id::text)
from feed_facilities here join feed_facilities there on there.feed_id = here.feed_id and there.group_id <> here.group_id
where here.group_id = e.group_id and there.identifier = e.state ->> 'dischargedTo';
update events v set detail = jsonb_set(v.detail, '{dischargedTo}', 'null') || jsonb_build_object('transferredTo', there.group_id::text)
from encounters e, feed_facilities here join feed_facilities there on there.feed_id = here.feed_id and there.group_id <> here.group_id
where e.id = v.encounter_id and here.group_id = e.group_id and there.identifier = v.detail ->> 'dischargedTo';

-- Lifting the mark opens the facility's visits to everyone who lists the patients, so each opening is recorded like one by a roster.
alter table record_openings drop constraint record_openings_how_check;
alter table record_openings add constraint record_openings_how_check
  check (how in ('ROSTER', 'MANUAL', 'FEED', 'REVIEW', 'PART2_LIFTED'));
comment on table record_openings is 'Written when a listing, a decided review or a lifted 42 CFR Part 2 mark makes visits elsewhere readable. user_id: who uploaded, entered, decided or lifted; null for a feed.';

create function record_part2_lifted(facility bigint, lifted_by bigint, lifted_at timestamptz) returns setof record_openings
language sql security definer set search_path = tidings, pg_temp as $$
  insert into record_openings (at, person_id, group_id, roster_patient_id, how, user_id, opens_from, foreign_visits)
  select lifted_at, r.person_id, r.group_id, r.id, 'PART2_LIFTED', lifted_by, r.opens_from, count(*)
  from encounters e join roster_patients r on r.person_id = e.person_id and r.group_id <> e.group_id
  where e.group_id = facility and e.status <> 'CANCELLED' and administers_everything()
    and (
      r.left_at is null
        and (e.status in ('PLANNED', 'IN_PROGRESS', 'ON_LEAVE') or coalesce(e.discharged_at, e.admitted_at) >= r.opens_from)
      or exists (select from pings p where p.encounter_id = e.id and p.roster_patient_id = r.id))
    and not exists (
      select from consents c
      where c.person_id = e.person_id and c.facility_group_id = facility and c.recipient_group_id = r.group_id and c.ended_at is null)
  group by r.id
  returning * $$;
comment on function record_part2_lifted is 'Records whom the end of a facility''s 42 CFR Part 2 mark lets read its visits, as server/people/access/policy.ts decides it. Only for operators.';
revoke execute on function record_part2_lifted from public;
grant execute on function record_part2_lifted to tidings_app;
