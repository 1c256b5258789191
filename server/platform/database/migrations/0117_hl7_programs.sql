-- HL7-based programs: in which a discharge enrolls patients. Who is enrolled is derived from the visits, and kept nowhere.

create table hl7_programs (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  name text not null check (name <> '' and length(name) <= 100),
  admitting_facility_id bigint references groups (id),
  admitting_facility_type text,
  diagnosis_codes text[] check (cardinality(diagnosis_codes) between 1 and 200),
  principal_only boolean not null default false,
  drg_codes text[] not null default '{}' check (cardinality(drg_codes) <= 100),
  payer text check (payer <> '' and length(payer) <= 100),
  discharge_setting text,
  discharged_to text,
  validity_days integer not null check (validity_days between 1 and 365),
  ended_at timestamptz
);
comment on table hl7_programs is 'Programs of an organization that enroll a patient with a discharge (contract/hl7-programs.ts). Its teams see who is enrolled. Ended, not deleted.';
comment on column hl7_programs.diagnosis_codes is 'ICD-10-CM codes or their beginnings, in capitals; null where the diagnosis does not matter.';
comment on column hl7_programs.principal_only is 'Only the first diagnosis of the stay counts.';
comment on column hl7_programs.payer is 'Its words have to be in the first payer of the stay.';
comment on column hl7_programs.validity_days is 'How long an enrollment lasts; the day of discharge is the first.';
create unique index on hl7_programs (organization_id, lower(name)) where ended_at is null;

alter table hl7_programs enable row level security;
create policy of_teams on hl7_programs for select to tidings_app using (
  exists (select from teams t where t.id = (select acting_team()) and t.organization_id = hl7_programs.organization_id));
create policy of_administrators on hl7_programs to tidings_app using (administers(organization_id));
create policy pipeline on hl7_programs to tidings_pipeline using (true);
grant select, insert, update on hl7_programs to tidings_app;
grant select, insert, update on hl7_programs to tidings_pipeline;

-- The programs of everyone whom the organization's teams see are computed again. A team may have groups of other organizations.
create function log_hl7_program() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select distinct 'group', 'bulk', t.group_id, now() from team_groups t join teams on teams.id = t.team_id
  where teams.organization_id = new.organization_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;
comment on function log_hl7_program is 'Logs a change of a program for each group of the organization''s teams.';
revoke execute on function log_hl7_program from public;
create trigger logs_hl7_program after insert or update on hl7_programs for each row execute function log_hl7_program();

create policy of_programs on audit_entries for select to tidings_app using (
  subject = 'hl7-program' and exists (select from hl7_programs p where p.id = subject_id and administers(p.organization_id)));
