-- Whether a person is logged already was looked for among all that the transaction had logged, once for each person: the planner expects few of them.
create or replace function log_persons(person_ids bigint[], facility_ids bigint[]) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if person_ids is null or current_setting('tidings.bulk', true) = 'on' then return; end if;
  -- `not in` looks up in a hash, whatever the planner expects. A column that may be null has no part in it.
  with logged as materialized (
    select subject_id, group_id from change_log where xid = pg_current_xact_id() and kind = 'person'
  )
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'person', 'changed', part2.id, person.id, now()
  from unnest(person_ids, facility_ids) as person (id, facility_id)
    left join groups part2 on part2.id = person.facility_id and part2.is_part2_facility
  where person.id not in (select subject_id from logged where group_id is null)
    and (part2.id is null or (person.id, part2.id) not in (select subject_id, group_id from logged where group_id is not null));
  if found then perform pg_notify('tidings_changes', ''); end if;
end $$;
