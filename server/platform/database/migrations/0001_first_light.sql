-- First light: organisations and people who use Tidings, feeds and messages, persons and their listings, visits, events, pings.
--
-- Conventions: identities are bigint; every instant is timestamptz and comes from the caller's clock (no now() here);
-- a day without a time of day is kept as such (column ..._precision); sort keys collate "C", as the read model compares.
-- Roles: tidings_app serves people and stands under row-level security; tidings_pipeline runs feeds and jobs.

-- ───────────────────────────── organisations, teams, users ─────────────────────────────

create table organizations (
  id bigint generated always as identity primary key,
  name text not null unique,
  created_at timestamptz not null
);

create table groups (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null,
  state text,
  type text not null check (type in ('HOS', 'SNF', 'ADMITTING', 'PROGRAM')),
  facility_type text check (facility_type in ('HOS', 'SNF', 'ALF', 'HHA', 'HOSPICE', 'LTAC', 'REHAB_HOS', 'URGENT_CARE')),
  time_zone text not null,
  address text,
  is_automated boolean not null default false,
  is_part2_facility boolean not null default false,
  created_at timestamptz not null,
  unique (organization_id, name),
  check ((type = 'PROGRAM') = (facility_type is null))
);

create table teams (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null,
  abbreviation text not null,
  type text not null check (type in ('HOS', 'SNF', 'ADMITTING', 'PROGRAM')),
  created_at timestamptz not null,
  unique (organization_id, name)
);

create table team_groups (
  team_id bigint not null references teams,
  group_id bigint not null references groups,
  primary key (team_id, group_id)
);
create index on team_groups (group_id);

create table roles (
  id bigint generated always as identity primary key,
  organization_id bigint references organizations,
  name text not null,
  permissions text[] not null,
  unique nulls not distinct (organization_id, name)
);
comment on table roles is 'Named sets of permissions; organization_id null: the standard roles, which every organisation has.';

create table users (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  username text not null unique check (username = lower(username)),
  first_name text not null,
  last_name text not null,
  title text,
  user_type_title text,
  application_experience text not null,
  primary_clinical_setting text,
  is_operator boolean not null default false,
  password_hash text,
  password_changed_at timestamptz,
  default_team_id bigint references teams,
  created_at timestamptz not null,
  activated_at timestamptz,
  disabled_at timestamptz,
  last_activation_email_at timestamptz,
  first_login_at timestamptz,
  current_login_at timestamptz,
  previous_login_at timestamptz,
  successful_logins integer not null default 0,
  mfa_opted_in boolean not null default false,
  guesses_since_owner_acted integer not null default 0
);
comment on column users.guesses_since_owner_acted is 'Wrong passwords evaluated, from whatever place, since the owner last signed in or unlocked; at 100 no more are evaluated.';

create table grants (
  user_id bigint not null references users,
  team_id bigint not null,
  group_id bigint not null,
  role_id bigint not null references roles,
  added text[] not null default '{}',
  removed text[] not null default '{}',
  primary key (user_id, team_id, group_id),
  foreign key (team_id, group_id) references team_groups
);

create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz
);
create index on sessions (user_id) where ended_at is null;

create table devices (
  token_hash bytea primary key,
  user_id bigint not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
comment on table devices is 'Browsers from which a user has signed in before; wrong passwords elsewhere do not lock them. token_hash covers the username, so that people who share a browser have a row each.';

create table sign_in_places (
  account bytea not null,
  place bytea not null,
  wrong_in_a_row integer not null,
  tried_at timestamptz not null,
  locked_at timestamptz,
  primary key (account, place)
);
comment on column sign_in_places.account is 'The hash of the username, whether there is such a user or not: a lock must not tell which names exist.';
comment on column sign_in_places.place is 'The hash of a known device, or empty for all unknown ones together.';

-- ───────────────────────────── feeds and messages ─────────────────────────────

create table feeds (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null unique,
  kind text not null check (kind in ('MLLP', 'FHIR', 'CCDA')),
  sending_application text,
  sending_facility text,
  settings jsonb not null default '{}',
  is_backfill boolean not null default false,
  created_at timestamptz not null,
  unique nulls not distinct (kind, sending_application, sending_facility)
);
comment on column feeds.sending_application is 'MSH-3 of this feed''s messages; null: any.';
comment on column feeds.sending_facility is 'MSH-4 of this feed''s messages; null: any.';

create table feed_facilities (
  feed_id bigint not null references feeds,
  identifier text not null,
  group_id bigint not null references groups,
  registration_is_visit boolean not null default false,
  primary key (feed_id, identifier)
);
comment on column feed_facilities.registration_is_visit is 'A registration (A04) of an outpatient is told as VISIT; otherwise it is silent.';
comment on column feed_facilities.identifier is 'PV1-3.4, EVN-7 or MSH-4 as the feed writes it; ''*'': every other one.';

create table messages (
  id bigint generated always as identity,
  received_at timestamptz not null,
  source text not null check (source in ('MLLP', 'FHIR', 'CCDA', 'MANUAL')),
  remote text,
  raw bytea,
  digest bytea not null,
  lane integer not null,
  feed_id bigint,
  control_id text,
  message_type text,
  sending_application text,
  sending_facility text,
  status text not null check (status in ('PENDING', 'APPLIED', 'NOT_ACTED_ON', 'QUARANTINED', 'DUPLICATE')),
  reason text not null default '',
  attempts smallint not null default 0,
  processed_at timestamptz,
  entered_by bigint,
  primary key (id, received_at)
) partition by range (received_at);
comment on table messages is 'Every message as it came, stored before it is acknowledged; also the queue. lane: hash of source and patient; a lane is processed in order.';
create index messages_queue on messages (id) where status = 'PENDING';
create index on messages (status, id desc) where status in ('QUARANTINED', 'NOT_ACTED_ON');
create index on messages (feed_id, id desc);
create index on messages (control_id);

create table message_digests (
  digest bytea primary key,
  message_id bigint not null,
  received_at timestamptz not null
);
comment on table message_digests is 'SHA-256 over MSH-3, MSH-4, MSH-10 and the bytes: what makes a resend a duplicate, kept longer than the message.';

create table feed_counts (
  feed_id bigint not null,
  day date not null,
  received integer not null default 0,
  duplicates integer not null default 0,
  last_at timestamptz not null,
  primary key (feed_id, day)
);

-- ───────────────────────────── persons and who lists them ─────────────────────────────

create table persons (
  id bigint generated always as identity primary key,
  is_provisional boolean not null,
  created_at timestamptz not null
);
comment on table persons is 'One human being each. Nothing but identity: what is known of a person stands with those who say it.';

create table source_patients (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups,
  record_number text not null,
  dossier_id bigint not null,
  person_id bigint not null references persons,
  demographics jsonb not null,
  demographics_at timestamptz,
  deceased boolean not null default false,
  deceased_on date,
  created_at timestamptz not null,
  unique (group_id, record_number)
);
comment on table source_patients is 'A patient as one facility knows him or her. dossier_id: the smallest id among the record numbers that merges and moves connect.';
create index on source_patients (dossier_id);
create index on source_patients (person_id);

create table roster_patients (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups,
  member_id text not null,
  person_id bigint not null references persons,
  first_name text not null,
  middle_name text,
  last_name text not null,
  name_suffix text,
  date_of_birth date,
  gender text not null,
  address1 text,
  address2 text,
  city text,
  state text,
  zip text,
  home_phone text,
  mobile_phone text,
  ssn_last4 text,
  medicare_id text,
  programs text[] not null default '{}',
  practices text[] not null default '{}',
  provider_first_name text,
  provider_last_name text,
  provider_npi text,
  care_coordinators text[] not null default '{}',
  insurance text[] not null default '{}',
  tags text[] not null default '{}',
  care_gaps text[] not null default '{}',
  advance_care_documents text[] not null default '{}',
  billing_agencies text[] not null default '{}',
  content_hash bytea,
  sort_first text collate "C" not null,
  sort_last text collate "C" not null,
  listed_at timestamptz not null,
  left_at timestamptz,
  leaves_at timestamptz,
  unique (group_id, member_id)
);
comment on column roster_patients.leaves_at is 'A facility''s own listing ends 90 days after the last discharge; a job then sets left_at.';
create index on roster_patients (person_id, group_id);
create index roster_patients_names on roster_patients (group_id, sort_last) where left_at is null;
create index on roster_patients (leaves_at) where left_at is null and leaves_at is not null;

create table blocking_keys (
  key text collate "C" not null,
  subject text not null check (subject in ('SOURCE_PATIENT', 'ROSTER_PATIENT')),
  subject_id bigint not null,
  primary key (key, subject, subject_id)
);
create index on blocking_keys (subject, subject_id);

create table person_links (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('SOURCE_PATIENT', 'ROSTER_PATIENT')),
  subject_id bigint not null,
  person_id bigint not null references persons,
  previous_person_id bigint references persons,
  outcome text not null check (outcome in ('matched', 'review', 'new', 'merged', 'decided', 'undone')),
  rule_id text,
  evidence jsonb not null,
  decided_by bigint references users,
  created_at timestamptz not null
);
comment on table person_links is 'Every link of a source patient or listing to a person, with its evidence; the newest is in force.';
create index on person_links (subject, subject_id, id desc);

create table match_reviews (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('SOURCE_PATIENT', 'ROSTER_PATIENT')),
  subject_id bigint not null,
  group_id bigint not null references groups,
  candidates jsonb not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users,
  decision_person_id bigint references persons,
  link_id bigint references person_links,
  unique (subject, subject_id)
);
create index on match_reviews (group_id, id desc) where decided_at is null;

-- ───────────────────────────── visits, events, pings ─────────────────────────────

create table encounters (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups,
  source_patient_id bigint not null references source_patients,
  person_id bigint not null references persons,
  status text not null check (status in ('PLANNED', 'IN_PROGRESS', 'ON_LEAVE', 'FINISHED', 'CANCELLED')),
  setting text not null,
  admitted_at timestamptz,
  admitted_precision text,
  discharged_at timestamptz,
  discharged_precision text,
  visit_number text,
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column encounters.state is 'The folded visit (server/encounters): attending, location, diagnoses, payers, flags …';
create index on encounters (source_patient_id);
create index on encounters (person_id, admitted_at desc);
create index on encounters (group_id, status);
create index encounters_open_emergency on encounters (admitted_at) where status = 'IN_PROGRESS' and setting = 'EMERGENCY';

create table facts (
  id bigint generated always as identity primary key,
  source_patient_id bigint not null references source_patients,
  message_id bigint not null,
  ordinal smallint not null,
  adt jsonb not null,
  manual_code text,
  encounter_id bigint references encounters,
  outcome text not null default '',
  is_backfill boolean not null default false,
  received_at timestamptz not null,
  unique (message_id, ordinal)
);
create index on facts (source_patient_id);
create index on facts (encounter_id);

create table events (
  id bigint generated always as identity primary key,
  encounter_id bigint not null references encounters,
  key text not null,
  code text not null,
  event_at timestamptz not null,
  event_precision text not null check (event_precision in ('day', 'minute', 'second')),
  event_day date not null,
  state text not null check (state in ('ACTIVE', 'AMENDED', 'CANCELLED')),
  setting text not null,
  detail jsonb not null,
  is_manual boolean not null,
  received_at timestamptz not null,
  unique (encounter_id, key)
);

create table pings (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  group_id bigint not null references groups,
  roster_patient_id bigint not null references roster_patients,
  encounter_id bigint not null references encounters,
  event_at timestamptz not null,
  state text not null check (state in ('ACTIVE', 'AMENDED', 'CANCELLED')),
  management_status text not null default 'NEW' check (management_status in ('NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED')),
  status_id bigint,
  status_at timestamptz,
  is_current boolean not null default false,
  is_late boolean not null,
  created_at timestamptz not null,
  unique (event_id, roster_patient_id)
);
comment on column pings.is_current is 'The newest ping of its encounter and person in its group, one that stands before one that was retracted.';
create index pings_inbox on pings (group_id, management_status, event_at desc, encounter_id) where is_current;
create index on pings (encounter_id, group_id);
create index on pings (event_id, group_id);
create index on pings (roster_patient_id);

create table management_statuses (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  group_ids bigint[] not null,
  ping_ids bigint[] not null,
  status text not null check (status in ('NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED')),
  resolutions text[] not null,
  other_text text check (length(other_text) <= 2000),
  user_id bigint references users,
  username text not null,
  changed_at timestamptz not null
);
comment on column management_statuses.user_id is 'Null: the system resolved it.';
create index on management_statuses (event_id, id desc);
alter table pings add foreign key (status_id) references management_statuses;

create table consents (
  id bigint generated always as identity primary key,
  person_id bigint not null references persons,
  facility_group_id bigint not null references groups,
  recipient_group_id bigint not null references groups,
  given_at timestamptz not null,
  ended_at timestamptz
);
comment on table consents is '42 CFR Part 2: without one for the recipient, a Part 2 facility''s events are told to nobody outside.';
create index on consents (person_id, facility_group_id, recipient_group_id) where ended_at is null;

-- ───────────────────────────── rosters ─────────────────────────────

create table roster_uploads (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups,
  status text not null check (status in ('RECEIVED', 'VALIDATING', 'AWAITING_CONFIRMATION', 'APPLYING', 'DONE', 'FAILED', 'CANCELLED')),
  user_id bigint references users,
  username text not null,
  file_name text not null,
  file_error text,
  total_rows integer not null default 0,
  error_rows integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  removed_count integer not null default 0,
  unchanged_count integer not null default 0,
  errors_by_column jsonb not null default '{}',
  ignored_columns text[] not null default '{}',
  created_at timestamptz not null,
  applied_at timestamptz,
  finished_at timestamptz
);
comment on column roster_uploads.applied_at is 'When the roster was replaced; until finished_at the new and changed rows are identified, those that wait still stand in roster_upload_rows.';
create unique index roster_uploads_running on roster_uploads (group_id) where status in ('RECEIVED', 'VALIDATING', 'AWAITING_CONFIRMATION', 'APPLYING');
create index on roster_uploads (group_id, id desc);

create table roster_upload_rows (
  upload_id bigint not null references roster_uploads on delete cascade,
  row_number integer not null,
  member_id text not null,
  cells jsonb not null,
  errors jsonb,
  content_hash bytea,
  primary key (upload_id, row_number)
);
create index on roster_upload_rows (upload_id, member_id);
comment on table roster_upload_rows is 'The rows of a file until it is applied or cancelled; those with errors stay for the error report.';

-- ───────────────────────────── change log, audit ─────────────────────────────

create table change_log (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('ping', 'group', 'roster', 'session', 'person')),
  change text not null,
  group_id bigint,
  subject_id bigint,
  changed_at timestamptz not null
);
comment on table change_log is 'Keys of what changed, for readers that follow by snapshot (server/database/change-log.ts). xid: the writing transaction.';
create index on change_log (xid);

-- Whatever writes a row that a list shows, the log says whose it is: a writer cannot forget it, and the read model
-- (server/search) misses none. Each person once a transaction. A bulk change says nothing of persons (`set local
-- tidings.bulk = 'on'`) and logs one 'bulk' for its group at its end. now(): the log's own time, by which it is trimmed.
create function log_persons(person_ids bigint[]) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if current_setting('tidings.bulk', true) = 'on' then return; end if;
  insert into change_log (kind, change, subject_id, changed_at)
  select distinct 'person', 'changed', person.id, now() from unnest(person_ids) as person (id)
  where not exists (
    select from change_log logged
    where logged.xid = pg_current_xact_id() and logged.kind = 'person' and logged.subject_id = person.id);
  if found then perform pg_notify('tidings_changes', ''); end if;
end $$;

create function log_rows_of_persons() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'INSERT' then perform log_persons(array(select person_id from new_rows));
  else perform log_persons(array(select person_id from new_rows union all select person_id from old_rows));
  end if;
  return null;
end $$;

create function log_rows_of_encounters() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform log_persons(array(select e.person_id from new_rows join encounters e on e.id = encounter_id));
  else
    perform log_persons(array(
      select e.person_id from (select encounter_id from new_rows union select encounter_id from old_rows) as event
        join encounters e on e.id = event.encounter_id));
  end if;
  return null;
end $$;

create function log_rows_of_listings() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  perform log_persons(array(select r.person_id from new_rows join roster_patients r on r.id = roster_patient_id));
  return null;
end $$;

create function log_facilities() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select 'group', 'facility', n.id, now() from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.state, n.type, n.facility_type, n.time_zone, n.is_part2_facility)
    is distinct from (o.name, o.state, o.type, o.facility_type, o.time_zone, o.is_part2_facility);
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;

revoke execute on function log_persons, log_rows_of_persons, log_rows_of_encounters, log_rows_of_listings, log_facilities from public;

create trigger logs_insert after insert on roster_patients referencing new table as new_rows for each statement execute function log_rows_of_persons();
create trigger logs_update after update on roster_patients referencing new table as new_rows old table as old_rows for each statement execute function log_rows_of_persons();
create trigger logs_insert after insert on encounters referencing new table as new_rows for each statement execute function log_rows_of_persons();
create trigger logs_update after update on encounters referencing new table as new_rows old table as old_rows for each statement execute function log_rows_of_persons();
create trigger logs_insert after insert on consents referencing new table as new_rows for each statement execute function log_rows_of_persons();
create trigger logs_update after update on consents referencing new table as new_rows old table as old_rows for each statement execute function log_rows_of_persons();
create trigger logs_insert after insert on events referencing new table as new_rows for each statement execute function log_rows_of_encounters();
create trigger logs_update after update on events referencing new table as new_rows old table as old_rows for each statement execute function log_rows_of_encounters();
create trigger logs_insert after insert on pings referencing new table as new_rows for each statement execute function log_rows_of_listings();
create trigger logs_update after update on pings referencing new table as new_rows for each statement execute function log_rows_of_listings();
create trigger logs_update after update on groups referencing new table as new_rows old table as old_rows for each statement execute function log_facilities();

create table audit_entries (
  id bigint generated always as identity,
  at timestamptz not null,
  user_id bigint,
  team_id bigint,
  action text not null,
  subject text not null,
  subject_id bigint,
  request_id text,
  detail jsonb not null default '{}',
  primary key (id, at)
) partition by range (at);
create index on audit_entries (subject, subject_id, at desc);
create index on audit_entries (user_id, at desc);

-- ───────────────────────────── partitions ─────────────────────────────

create function ensure_partitions(from_day date, to_day date) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  parent text;
  month date;
begin
  foreach parent in array array['messages', 'audit_entries'] loop
    for month in select generate_series(date_trunc('month', from_day::timestamp), to_day::timestamp, interval '1 month')::date loop
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYY_MM'), parent,
        month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    end loop;
  end loop;
end $$;

create function drop_partitions(parent text, before date) returns setof text
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  child text;
  is_needed boolean := false;
begin
  if parent not in ('messages', 'audit_entries') then raise exception '% has no months to drop', parent; end if;
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
comment on function drop_partitions is 'Drops the months that ended before a day and answers their names; a month with messages that wait or stand in quarantine stays.';

comment on function ensure_partitions is 'Makes the monthly partitions from one day to another; called at start and daily, always months ahead.';

-- ───────────────────────────── row-level security ─────────────────────────────

revoke execute on function ensure_partitions, drop_partitions from public;

create function current_groups() returns bigint[]
language sql stable as $$ select coalesce(nullif(current_setting('tidings.group_ids', true), ''), '{}')::bigint[] $$;
comment on function current_groups is 'The groups for which the present transaction may see rows; none unless server/access says so.';

alter table roster_patients enable row level security;
alter table pings enable row level security;
alter table management_statuses enable row level security;
alter table roster_uploads enable row level security;
alter table roster_upload_rows enable row level security;

create policy of_group on roster_patients to tidings_app using (group_id = any ((select current_groups())::bigint[]));
create policy of_group on pings to tidings_app using (group_id = any ((select current_groups())::bigint[]));
create policy of_group on management_statuses to tidings_app using (group_ids && (select current_groups())::bigint[])
  with check (group_ids <@ (select current_groups())::bigint[]);
create policy of_group on roster_uploads to tidings_app using (group_id = any ((select current_groups())::bigint[]));
create policy of_upload on roster_upload_rows to tidings_app
  using (exists (select from roster_uploads u where u.id = upload_id and u.group_id = any ((select current_groups())::bigint[])));

create policy pipeline on roster_patients to tidings_pipeline using (true);
create policy pipeline on pings to tidings_pipeline using (true);
create policy pipeline on management_statuses to tidings_pipeline using (true);
create policy pipeline on roster_uploads to tidings_pipeline using (true);
create policy pipeline on roster_upload_rows to tidings_pipeline using (true);

-- ───────────────────────────── grants ─────────────────────────────

grant select, insert, update, delete on all tables in schema tidings to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
grant execute on function ensure_partitions, drop_partitions to tidings_pipeline;

grant select on organizations, groups, teams, team_groups, roles, users, grants, feeds, feed_facilities, feed_counts,
  messages, persons, source_patients, roster_patients, encounters, facts, events, pings, management_statuses, consents,
  person_links, match_reviews, roster_uploads, roster_upload_rows, change_log to tidings_app;
grant select, insert, update, delete on sessions, devices, sign_in_places to tidings_app;
grant update (password_hash, password_changed_at, default_team_id, first_login_at, current_login_at, previous_login_at,
  successful_logins, guesses_since_owner_acted) on users to tidings_app;
grant update (management_status, status_id, status_at) on pings to tidings_app;
grant insert on management_statuses, change_log, audit_entries, messages, message_digests to tidings_app;
grant update (status, reason, attempts, processed_at) on messages to tidings_app;
grant insert, update on roster_uploads to tidings_app;
grant insert, select on roster_upload_rows to tidings_app;
-- Functions are closed by default (0000_roles.sql).
grant execute on function current_groups to tidings_app, tidings_pipeline;
revoke insert, update, delete on migrations from tidings_pipeline;
grant select on migrations to tidings_app;
