-- Whoever has a patient open learns at once who opens or closes it too. The log says of whom; pages ask who.
alter table change_log drop constraint change_log_kind_check;
alter table change_log add constraint change_log_kind_check
  check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person', 'work', 'feed', 'viewers'));

create function log_patient_viewers() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'viewers', 'changed', r.group_id, c.person_id, now()
  from changed c join team_groups t on t.team_id = c.team_id
    join roster_patients r on r.group_id = t.group_id and r.person_id = c.person_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;
comment on function log_patient_viewers is 'Logs of which persons the viewers changed. Saying again that a patient is open is no change.';
revoke execute on function log_patient_viewers from public;
create trigger logs_insert after insert on patient_viewers referencing new table as changed
  for each statement execute function log_patient_viewers();
create trigger logs_delete after delete on patient_viewers referencing old table as changed
  for each statement execute function log_patient_viewers();
