-- Most triggers of a batch of messages have no rows: then there is no one to look for in the log.
create or replace function log_persons(person_ids bigint[], facility_ids bigint[]) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if person_ids is null or current_setting('tidings.bulk', true) = 'on' then return; end if;
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
