-- Messages that were read before they were applied, patients entered by hand and refused calls are in a patient's list of accesses, and where
-- they came from.

drop function patient_accesses(bigint, bigint, int, int);
create function patient_accesses(listing bigint, organization bigint, page_size int, page_offset int)
returns table (id bigint, at timestamptz, user_id bigint, team_id bigint, group_id bigint, action text, is_subject boolean, address text, detail jsonb, total bigint)
language sql stable security definer set search_path = tidings, pg_temp as $$
  with listings as materialized (
    select r.person_id, array_agg(r.id) as ids,
      -- Else a refused call would show whether an id of another organization is this person's.
      array_agg(r.id) filter (where organization is null or g.organization_id = organization) as own_ids,
      array(select f.message_id from source_patients s join facts f on f.source_patient_id = s.id where s.person_id = r.person_id) as messages
    from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = (select l.person_id from roster_patients l where l.id = listing)
    group by r.person_id
  ), entries as (
    -- Openings have rows of their own, below.
    select e.id, e.at from listings, audit_entries e where e.patient_ids && listings.ids and e.action <> 'record.open'
    union
    select e.id, e.at from listings, audit_entries e where e.subject = 'patient' and e.subject_id = any (listings.own_ids)
    union
    select e.id, e.at from listings, audit_entries e where e.subject = 'message' and e.subject_id = any (listings.messages)
  ), found as (
    select e.id, e.at, e.user_id, e.team_id, null::bigint, e.action, e.subject_id = any (listings.ids), e.address, e.detail
    from listings, entries join audit_entries e using (id, at)
      left join teams t on t.id = e.team_id left join users u on u.id = e.user_id
    where organization is null or coalesce(t.organization_id, u.organization_id) = organization
    union all
    select o.id, o.at, o.user_id, null, o.group_id, 'record.open', true, null,
      jsonb_build_object('how', o.how, 'from', o.opens_from, 'visits', o.foreign_visits)
    from listings join record_openings o on o.person_id = listings.person_id join groups g on g.id = o.group_id
    where organization is null or g.organization_id = organization
  )
  select found.*, count(*) over () from found
  order by 2 desc, 1 desc
  limit page_size offset page_offset
$$;
comment on function patient_accesses(bigint, bigint, int, int) is 'Audit entries about the person of a roster patient or about messages that were applied to the person, and openings of that person''s visits elsewhere, newest first, by the teams, users and groups of an organization, or of all. They hold ids and addresses only. The caller checks who may ask.';
revoke execute on function patient_accesses(bigint, bigint, int, int) from public;
grant execute on function patient_accesses(bigint, bigint, int, int) to tidings_app;
-- A preview names its patients too.
grant execute on function patients_of_message(bigint) to tidings_pipeline;

-- A seal names the key of the hashes, so that a key that was replaced is noticed: nothing that was hashed with the old one can be found any more.
alter table audit_seals add key_hash bytea;
comment on column audit_seals.key_hash is 'SHA-256 of the key in audit_keys when the seal was made. Null: made before there was this column.';
create function audit_key_hash() returns bytea
language sql stable security definer set search_path = tidings, pg_temp as $$ select sha256(key) from audit_keys $$;
comment on function audit_key_hash() is 'SHA-256 of the key of the hashes in audit_entries, for the seals.';
revoke execute on function audit_key_hash() from public;
grant execute on function audit_key_hash() to tidings_pipeline;
comment on table record_openings is 'Written when a listing or a decided review makes visits of another organization readable; only ever added. An audit entry (record.open) names the rows that were written together, with a hash of them. user_id: who uploaded, entered or decided; null for a feed.';
