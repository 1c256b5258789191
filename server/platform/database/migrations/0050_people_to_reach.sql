-- How to reach a patient's provider and care coordinators, and a third address line, from optional roster columns. Earlier rows have none.

alter table roster_patients
  add column address3 text,
  add column provider_title text,
  add column provider_type text,
  add column provider_phone text,
  add column provider_fax text,
  add column provider_email text,
  add column provider_direct_message text,
  add column care_coordinator_titles text[] not null default '{}',
  add column care_coordinator_phones text[] not null default '{}',
  add column care_coordinator_faxes text[] not null default '{}',
  add column care_coordinator_emails text[] not null default '{}',
  add column care_coordinator_event_types text[] not null default '{}';
comment on column roster_patients.provider_direct_message is 'An address for Direct secure messaging.';
comment on column roster_patients.care_coordinator_titles is 'In the order of care_coordinators, '''' where there is none; so are the other columns of care coordinators. Empty: none has a title.';

create function phones_of(person bigint)
returns table (group_id bigint, group_name text, group_type text, organization_id bigint, phone text, kind text, updated_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select g.id, g.name, g.type, g.organization_id, listed.phone, listed.kind, coalesce(u.applied_at, r.listed_at)
  from roster_patients r
    join groups g on g.id = r.group_id
    left join roster_uploads u on u.id = r.upload_id
    cross join lateral (values (r.home_phone, 'HOME'), (r.mobile_phone, 'MOBILE')) as listed (phone, kind)
  where r.person_id = person and r.left_at is null and listed.phone is not null
    and (r.group_id = any (current_groups()) or shares_care(r.id))
  order by r.id, listed.kind $$;
comment on function phones_of is 'The phone numbers of a person, from the current listings of the transaction''s groups and those that are shared with them, as programs_of.';

create function links_of(person bigint)
returns table (group_id bigint, group_name text, outcome text, evidence jsonb, created_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select g.id, g.name, l.outcome, l.evidence, l.created_at
  from source_patients s
    join groups g on g.id = s.group_id
    cross join lateral (
      select p.* from person_links p where p.subject = 'SOURCE_PATIENT' and p.subject_id = s.id order by p.id desc limit 1) l
  where s.person_id = person and s.group_id = any (managed_groups()) and g.is_automated and l.person_id = person
    and not exists (select from facts f where f.source_patient_id = s.id and f.adt ? 'enteredBy')
  order by s.id $$;
comment on function links_of is 'Why records of the acting administrator''s own facilities are linked to a person: levels of agreement, never values. Only of records from a feed: about a patient whom a user composed, each field''s agreement would answer a guess.';

revoke execute on function phones_of, links_of from public;
grant execute on function phones_of, links_of to tidings_app, tidings_pipeline;
