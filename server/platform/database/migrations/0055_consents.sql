-- Consents to disclosure by 42 CFR Part 2 facilities get an author, and follow the facility's own listing of the patient.

alter table consents
  add column roster_patient_id bigint references roster_patients (id),
  add column recorded_by bigint references users (id),
  add column ended_by bigint references users (id);
comment on column consents.roster_patient_id is 'The facility''s listing of the patient who consented. If it is linked to another person, the consent is that person''s.';
comment on column consents.recorded_by is 'The user at the facility who recorded the consent.';
comment on table consents is '42 CFR Part 2: events of a Part 2 facility are sent only to recipients with a consent. Ended, not deleted.';
create index on consents (roster_patient_id);

create function move_consents() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  update consents set person_id = new.person_id where roster_patient_id = new.id and person_id <> new.person_id;
  return null;
end $$;
comment on function move_consents is 'Keeps consents with the listing of the patient who gave them.';
revoke execute on function move_consents from public;
create trigger moves_consents after update of person_id on roster_patients
  for each row when (old.person_id is distinct from new.person_id) execute function move_consents();
