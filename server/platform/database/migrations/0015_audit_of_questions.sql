-- Entries for questions about patients, not only for pages that show them; seals over batches of entries; no one may change an entry.

alter table audit_entries
  add address text,
  add route text,
  add status smallint,
  add patient_ids bigint[];
comment on table audit_entries is 'Who asked for, saw or changed what. Entries are only ever added; audit_seals shows whether one was changed or removed later.';
comment on column audit_entries.address is 'The caller''s IP address; null for entries that no call wrote.';
comment on column audit_entries.route is 'The call, as the contract names it.';
comment on column audit_entries.status is 'The HTTP status of the answer; null where the action itself wrote the entry.';
comment on column audit_entries.patient_ids is 'The roster patients whose data the answer showed.';
comment on column audit_entries.detail is 'asked: the parameters, with a keyed hash in place of each text. answered: totals and ids. Administrative changes: what each value was and became.';

-- Pages shown before this migration have their patients in the detail.
update audit_entries set patient_ids =
  array(select split_part(shown.id, '_', 1)::bigint
    from jsonb_array_elements_text(coalesce(detail -> 'patientIds', '[]') || coalesce(detail -> 'similarPatientIds', '[]')) as shown (id))
    || case when action = 'patient.view' then array[subject_id] else '{}' end
where subject = 'patient' and (detail ?| array['patientIds', 'similarPatientIds'] or action = 'patient.view');
create index on audit_entries using gin (patient_ids);

-- ───────────────────────────── hashes of what was asked ─────────────────────────────

create table audit_keys (key bytea not null);
comment on table audit_keys is 'One row: the key of the hashes in audit_entries. Without it, a copy of the entries cannot be searched for a name.';
alter table audit_keys enable row level security;
insert into audit_keys values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

create function audit_key() returns bytea
language sql stable security definer set search_path = tidings, pg_temp as $$ select key from audit_keys $$;
comment on function audit_key() is 'The key of the hashes in audit_entries, for the process that writes them.';
grant execute on function audit_key() to tidings_app;

-- ───────────────────────────── entries are added and read, nothing else ─────────────────────────────

drop policy of_deeds on audit_entries;
create policy of_own_actions on audit_entries for insert to tidings_app
  with check (user_id is null or user_id = (select acting_user()));
drop policy pipeline on audit_entries;
create policy pipeline_reads on audit_entries for select to tidings_pipeline using (true);
create policy pipeline_adds on audit_entries for insert to tidings_pipeline with check (true);
revoke update, delete on audit_entries from tidings_pipeline;

create table audit_seals (
  id bigint primary key,
  first_id bigint not null,
  last_id bigint not null unique,
  entries integer not null check (entries > 0),
  oldest_at timestamptz not null,
  newest_at timestamptz not null,
  digest bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null,
  check (first_id <= last_id)
);
comment on table audit_seals is 'A chain over the batches of audit_entries. Changing, removing or adding an entry of a batch breaks its seal.';
comment on column audit_seals.id is '1, 2, 3 and so on, without gaps.';
comment on column audit_seals.first_id is 'One more than the last id of the seal before. Ids between that no entry has belong to transactions that were rolled back.';
comment on column audit_seals.digest is 'SHA-256 of the entries.';
comment on column audit_seals.hash is 'SHA-256 of the hash before it and this row. It stays verifiable after the entries have been dropped.';
alter table audit_seals enable row level security;
grant select, insert on audit_seals to tidings_pipeline;

-- The pipeline's role runs the retention, so the function refuses what would remove entries before their time.
create or replace function drop_partitions(parent text, before date) returns setof text
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  child text;
  is_needed boolean := false;
begin
  if parent not in ('messages', 'audit_entries') then raise exception '% has no months to drop', parent; end if;
  if parent = 'audit_entries' and before > current_date - interval '6 years' then
    raise exception 'audit entries are kept for six years';
  end if;
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = format('tidings.%I', parent)::regclass
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before
    order by c.relname
  loop
    if parent = 'messages' then
      execute format('select exists (select from %I where status in (''PENDING'', ''QUARANTINED''))', child) into is_needed;
    end if;
    if not is_needed then
      execute format('drop table %I', child);
      return next child;
    end if;
  end loop;
end $$;

-- ───────────────────────────── who has seen a patient ─────────────────────────────

create function patient_accesses(listing bigint, organization bigint, page_size int, page_offset int)
returns table (id bigint, at timestamptz, user_id bigint, team_id bigint, action text, is_subject boolean, detail jsonb, total bigint)
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listings as materialized (
    select array_agg(r.id) as ids from roster_patients r
    where r.person_id = (select l.person_id from roster_patients l where l.id = listing)
  )
  select e.id, e.at, e.user_id, e.team_id, e.action, e.subject_id = any (listings.ids), e.detail, count(*) over ()
  from listings, audit_entries e join teams t on t.id = e.team_id
  where e.patient_ids && listings.ids and (organization is null or t.organization_id = organization)
  order by e.at desc, e.id desc
  limit page_size offset page_offset
$$;
comment on function patient_accesses(bigint, bigint, int, int) is 'Entries about the person of a roster patient, newest first, by the teams of an organization, or of all. Entries hold ids only. The caller checks who may ask.';
grant execute on function patient_accesses(bigint, bigint, int, int) to tidings_app;
