create table access_requests (
  id bigint generated always as identity not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  title text,
  group_id bigint not null,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  is_granted boolean,
  asked_from text,
  constraint access_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint access_requests_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint access_requests_pkey PRIMARY KEY (id)
);

create table account_tokens (
  token_hash bytea not null,
  user_id bigint not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint account_tokens_pkey PRIMARY KEY (token_hash),
  constraint account_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['ACCOUNT_ACTIVATION'::text, 'PASSWORD_RESET'::text, 'ACCOUNT_UNLOCK'::text]))),
  constraint account_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table audit_entries (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  user_id bigint,
  team_id bigint,
  action text not null,
  subject text not null,
  subject_id bigint,
  request_id text,
  detail jsonb default '{}'::jsonb not null,
  address text,
  route text,
  status smallint,
  patient_ids bigint[],
  in_log boolean default false not null,
  organization_id bigint,
  constraint audit_entries_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);

create table audit_keys (
  key bytea not null
);

create table audit_seals (
  id bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  entries integer not null,
  oldest_at timestamp with time zone not null,
  newest_at timestamp with time zone not null,
  digest bytea not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null,
  key_hash bytea,
  constraint audit_seals_check CHECK ((first_id <= last_id)),
  constraint audit_seals_entries_check CHECK ((entries > 0)),
  constraint audit_seals_last_id_key UNIQUE (last_id),
  constraint audit_seals_pkey PRIMARY KEY (id)
);

create table blocking_entries (
  subject bigint not null,
  keys bigint[] not null,
  sketch bytea,
  constraint blocking_entries_pkey PRIMARY KEY (subject)
);

create table blocking_keys (
  key bigint not null,
  subject bigint not null,
  constraint blocking_keys_pkey PRIMARY KEY (key, subject)
);

create table care_file_chunks (
  file_id bigint not null,
  "position" integer not null,
  bytes bytea not null,
  constraint care_file_chunks_file_id_fkey FOREIGN KEY (file_id) REFERENCES care_files(id) ON DELETE CASCADE,
  constraint care_file_chunks_pkey PRIMARY KEY (file_id, "position")
);

create table care_files (
  id bigint generated always as identity not null,
  instruction_id bigint not null,
  file_name text not null,
  content_type text not null,
  size integer not null,
  uploaded_at timestamp with time zone not null,
  uploaded_by bigint,
  constraint care_files_content_type_check CHECK ((content_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text]))),
  constraint care_files_instruction_id_fkey FOREIGN KEY (instruction_id) REFERENCES care_instructions(id) ON DELETE CASCADE,
  constraint care_files_instruction_id_key UNIQUE (instruction_id),
  constraint care_files_pkey PRIMARY KEY (id),
  constraint care_files_size_check CHECK ((size > 0)),
  constraint care_files_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);

create table care_instructions (
  id bigint generated always as identity not null,
  roster_patient_id bigint not null,
  group_id bigint not null,
  kind text not null,
  instruction text not null,
  instruction_order integer not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  modified_at timestamp with time zone not null,
  modified_by bigint,
  ended_at timestamp with time zone,
  constraint care_instructions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint care_instructions_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint care_instructions_kind_check CHECK ((kind = ANY (ARRAY['ADMIT'::text, 'DISCHARGE'::text]))),
  constraint care_instructions_modified_by_fkey FOREIGN KEY (modified_by) REFERENCES users(id),
  constraint care_instructions_pkey PRIMARY KEY (id),
  constraint care_instructions_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE
);

create table care_team_records (
  id bigint generated always as identity not null,
  roster_patient_id bigint not null,
  group_id bigint not null,
  program text,
  contact_name text not null,
  contact_job_title text,
  contact_phone text,
  contact_email text,
  contact_fax text,
  content text,
  is_called_first boolean default false not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  modified_at timestamp with time zone not null,
  modified_by bigint,
  ended_at timestamp with time zone,
  constraint care_team_records_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint care_team_records_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint care_team_records_modified_by_fkey FOREIGN KEY (modified_by) REFERENCES users(id),
  constraint care_team_records_pkey PRIMARY KEY (id),
  constraint care_team_records_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE
);

create table change_log (
  id bigint generated always as identity not null,
  xid xid8 default pg_current_xact_id() not null,
  kind text not null,
  change text not null,
  group_id bigint,
  subject_id bigint,
  changed_at timestamp with time zone not null,
  constraint change_log_kind_check CHECK ((kind = ANY (ARRAY['ping'::text, 'group'::text, 'roster'::text, 'review'::text, 'session'::text, 'person'::text, 'work'::text, 'feed'::text, 'viewers'::text, 'held'::text, 'replica'::text]))),
  constraint change_log_pkey PRIMARY KEY (id)
);

create table client_errors (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  user_id bigint,
  kind text not null,
  message text not null,
  request_id text,
  location text not null,
  constraint client_errors_pkey PRIMARY KEY (id)
);

create table consents (
  id bigint generated always as identity not null,
  person_id bigint not null,
  facility_group_id bigint not null,
  recipient_group_id bigint not null,
  given_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  roster_patient_id bigint,
  recorded_by bigint,
  ended_by bigint,
  expires_on date,
  constraint consents_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id),
  constraint consents_facility_group_id_fkey FOREIGN KEY (facility_group_id) REFERENCES groups(id),
  constraint consents_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_recipient_group_id_fkey FOREIGN KEY (recipient_group_id) REFERENCES groups(id),
  constraint consents_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  constraint consents_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id)
);

create table contact_attempts (
  id bigint generated always as identity not null,
  team_id bigint not null,
  roster_patient_id bigint not null,
  attempted_at timestamp with time zone not null,
  channel text not null,
  outcome text not null,
  note text default ''::text not null,
  user_id bigint not null,
  display_name text not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint contact_attempts_channel_check CHECK ((channel = ANY (ARRAY['CALL'::text, 'TEXT'::text, 'MESSAGE'::text, 'VISIT'::text]))),
  constraint contact_attempts_note_check CHECK ((length(note) <= 500)),
  constraint contact_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['REACHED'::text, 'DECLINED'::text, 'LEFT_MESSAGE'::text, 'NO_ANSWER'::text, 'WRONG_NUMBER'::text]))),
  constraint contact_attempts_pkey PRIMARY KEY (id),
  constraint contact_attempts_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE,
  constraint contact_attempts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  constraint contact_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table custom_spotlights (
  id bigint generated always as identity not null,
  user_id bigint not null,
  team_id bigint not null,
  title text not null,
  name text not null,
  period text not null,
  breakdown text not null,
  group_id bigint,
  filter_id bigint,
  has_filter boolean not null,
  shared_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint custom_spotlights_breakdown_check CHECK ((breakdown = ANY (ARRAY['MONTH'::text, 'FACILITY'::text]))),
  constraint custom_spotlights_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES saved_filters(id) ON DELETE SET NULL,
  constraint custom_spotlights_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint custom_spotlights_pkey PRIMARY KEY (id),
  constraint custom_spotlights_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint custom_spotlights_title_check CHECK (((length(title) >= 1) AND (length(title) <= 120))),
  constraint custom_spotlights_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table demo_region (
  seeded_at timestamp with time zone not null,
  is_complete boolean default false not null
);

create table devices (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  name text default ''::text not null,
  constraint devices_pkey PRIMARY KEY (token_hash),
  constraint devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table document_content_chunks (
  content_id bigint not null,
  "position" integer not null,
  bytes bytea not null,
  constraint document_content_chunks_content_id_fkey FOREIGN KEY (content_id) REFERENCES document_contents(id) ON DELETE CASCADE,
  constraint document_content_chunks_pkey PRIMARY KEY (content_id, "position")
);

create table document_contents (
  id bigint generated always as identity not null,
  sha256 bytea not null,
  size integer not null,
  media_type text not null,
  model bytea,
  reader_version smallint,
  problem text,
  received_at timestamp with time zone not null,
  constraint document_contents_pkey PRIMARY KEY (id),
  constraint document_contents_sha256_check CHECK ((length(sha256) = 32)),
  constraint document_contents_sha256_key UNIQUE (sha256),
  constraint document_contents_size_check CHECK ((size > 0))
);

create table document_tokens (
  id bigint generated always as identity not null,
  feed_id bigint not null,
  token_hash bytea not null,
  ending text not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  last_used_at timestamp with time zone,
  constraint document_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint document_tokens_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint document_tokens_pkey PRIMARY KEY (id),
  constraint document_tokens_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES users(id),
  constraint document_tokens_token_hash_key UNIQUE (token_hash)
);

create table documents (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  message_id bigint not null,
  ordinal smallint not null,
  group_id bigint not null,
  source_patient_id bigint,
  person_id bigint,
  encounter_id bigint,
  visit_numbers text[] default '{}'::text[] not null,
  visit_day date,
  act text not null,
  document_number text,
  parent_number text,
  status text default 'CURRENT'::text not null,
  content_id bigint,
  file_id bigint,
  kind text not null,
  title text not null,
  type_code text,
  type text,
  is_discharge_summary boolean default false not null,
  author text,
  custodian text,
  written_at timestamp with time zone not null,
  written text,
  is_restricted boolean default false not null,
  sent_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  uploaded_by text,
  uploaded_for text,
  constraint documents_act_check CHECK ((act = ANY (ARRAY['NEW'::text, 'ADDENDUM'::text, 'REPLACE'::text, 'CANCEL'::text]))),
  constraint documents_content_id_fkey FOREIGN KEY (content_id) REFERENCES document_contents(id),
  constraint documents_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id),
  constraint documents_file_id_fkey FOREIGN KEY (file_id) REFERENCES document_contents(id),
  constraint documents_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint documents_kind_check CHECK ((kind = ANY (ARRAY['CCDA'::text, 'PDF'::text, 'RTF'::text, 'TEXT'::text, 'IMAGE'::text, 'OTHER'::text]))),
  constraint documents_message_id_ordinal_key UNIQUE (message_id, ordinal),
  constraint documents_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_source_patient_id_fkey FOREIGN KEY (source_patient_id) REFERENCES source_patients(id),
  constraint documents_status_check CHECK ((status = ANY (ARRAY['CURRENT'::text, 'REPLACED'::text, 'CANCELLED'::text]))),
  constraint documents_uuid_key UNIQUE (uuid)
);

create table doubtful_links (
  subject text not null,
  subject_id bigint not null,
  person_id bigint not null,
  link_id bigint not null,
  version text not null,
  outcome text not null,
  evidence jsonb not null,
  visits integer not null,
  pings integer not null,
  groups integer not null,
  found_at timestamp with time zone not null,
  constraint doubtful_links_link_id_fkey FOREIGN KEY (link_id) REFERENCES person_links(id),
  constraint doubtful_links_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'review'::text, 'new'::text]))),
  constraint doubtful_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint doubtful_links_pkey PRIMARY KEY (subject, subject_id),
  constraint doubtful_links_subject_check CHECK ((subject = ANY (ARRAY['SOURCE_PATIENT'::text, 'ROSTER_PATIENT'::text])))
);

create table email_domains (
  organization_id bigint not null,
  domain text not null,
  token text default replace((gen_random_uuid())::text, '-'::text, ''::text) not null,
  verified_at timestamp with time zone,
  verified_by text,
  constraint email_domains_check CHECK (((verified_at IS NULL) = (verified_by IS NULL))),
  constraint email_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint email_domains_pkey PRIMARY KEY (organization_id, domain),
  constraint email_domains_verified_by_check CHECK ((verified_by = ANY (ARRAY['DNS'::text, 'OPERATOR'::text])))
);

create table emergency_accesses (
  id bigint generated always as identity not null,
  user_id bigint not null,
  team_id bigint not null,
  roster_patient_id bigint not null,
  facility_group_ids bigint[] not null,
  reason text not null,
  is_medical_emergency boolean not null,
  began_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint emergency_accesses_pkey PRIMARY KEY (id),
  constraint emergency_accesses_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint emergency_accesses_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE,
  constraint emergency_accesses_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint emergency_accesses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table encounters (
  id bigint generated always as identity not null,
  group_id bigint not null,
  source_patient_id bigint not null,
  person_id bigint not null,
  status text not null,
  setting text not null,
  admitted_at timestamp with time zone,
  admitted_precision text,
  discharged_at timestamp with time zone,
  discharged_precision text,
  visit_number text,
  state jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint encounters_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint encounters_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint encounters_pkey PRIMARY KEY (id),
  constraint encounters_source_patient_id_fkey FOREIGN KEY (source_patient_id) REFERENCES source_patients(id),
  constraint encounters_status_check CHECK ((status = ANY (ARRAY['PLANNED'::text, 'IN_PROGRESS'::text, 'ON_LEAVE'::text, 'FINISHED'::text, 'CANCELLED'::text])))
);

create table events (
  id bigint generated always as identity not null,
  encounter_id bigint not null,
  key text not null,
  code text not null,
  event_at timestamp with time zone not null,
  event_precision text not null,
  event_day date not null,
  state text not null,
  setting text not null,
  detail jsonb not null,
  is_manual boolean not null,
  received_at timestamp with time zone not null,
  constraint events_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id),
  constraint events_encounter_id_key_key UNIQUE (encounter_id, key),
  constraint events_event_precision_check CHECK ((event_precision = ANY (ARRAY['day'::text, 'minute'::text, 'second'::text]))),
  constraint events_pkey PRIMARY KEY (id),
  constraint events_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'AMENDED'::text, 'CANCELLED'::text])))
);

create table exchange_links (
  organization_id bigint not null,
  kind text not null,
  url text not null,
  fields jsonb not null,
  states text[] default '{}'::text[] not null,
  constraint exchange_links_kind_check CHECK ((kind = ANY (ARRAY['PULSE'::text, 'VYNCA'::text]))),
  constraint exchange_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint exchange_links_pkey PRIMARY KEY (organization_id, kind),
  constraint exchange_links_url_check CHECK ((url ~~ 'https://%'::text))
);

create table export_chunks (
  job_id bigint not null,
  attempt integer not null,
  n integer not null,
  content bytea not null,
  constraint export_chunks_job_id_fkey FOREIGN KEY (job_id) REFERENCES export_jobs(id) ON DELETE CASCADE,
  constraint export_chunks_pkey PRIMARY KEY (job_id, attempt, n)
);

create table export_jobs (
  id bigint generated always as identity not null,
  user_id bigint not null,
  name text not null,
  created_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  in_progress boolean not null,
  failed boolean default false not null,
  team_id bigint,
  kind text default 'ENCOUNTERS'::text not null,
  export_type text default 'CSV'::text not null,
  parameters jsonb default '{}'::jsonb not null,
  group_ids bigint[] default '{}'::bigint[] not null,
  keys bigint[],
  attempt integer default 0 not null,
  rows_written integer default 0 not null,
  rows_total integer,
  bytes bigint default 0 not null,
  has_part2 boolean default false not null,
  read_at timestamp with time zone,
  failure text,
  expires_at timestamp with time zone,
  part2_group_ids bigint[] default '{}'::bigint[] not null,
  held jsonb default '{}'::jsonb not null,
  constraint export_jobs_export_type_check CHECK ((export_type = ANY (ARRAY['CSV'::text, 'XLSX'::text]))),
  constraint export_jobs_kind_check CHECK ((kind = ANY (ARRAY['ENCOUNTERS'::text, 'LIST'::text]))),
  constraint export_jobs_pkey PRIMARY KEY (id),
  constraint export_jobs_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint export_jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table facility_hours (
  feed_id bigint not null,
  group_id bigint not null,
  hour timestamp with time zone not null,
  received integer not null,
  last_at timestamp with time zone not null,
  constraint facility_hours_pkey PRIMARY KEY (feed_id, group_id, hour)
);

create table facility_links (
  id bigint generated always as identity not null,
  token_hash bytea not null,
  purpose text not null,
  team_id bigint not null,
  roster_patient_id bigint not null,
  encounter_id bigint not null,
  about_message_id bigint not null,
  about text not null,
  recipient text,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  tries smallint default 0 not null,
  wrong smallint default 0 not null,
  opened_at timestamp with time zone,
  locked_at timestamp with time zone,
  answered_at timestamp with time zone,
  answer jsonb,
  message_id bigint,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  revoked_by_name text,
  retraction_id bigint,
  expired_at timestamp with time zone,
  file bytea,
  constraint facility_links_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '14 days'::interval)))),
  constraint facility_links_check1 CHECK (((answered_at IS NULL) = (answer IS NULL))),
  constraint facility_links_check2 CHECK (((revoked_at IS NULL) = (revoked_by IS NULL))),
  constraint facility_links_check3 CHECK (((file IS NULL) OR (answered_at IS NOT NULL))),
  constraint facility_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint facility_links_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) ON DELETE CASCADE,
  constraint facility_links_pkey PRIMARY KEY (id),
  constraint facility_links_purpose_check CHECK ((purpose = ANY (ARRAY['CONFIRM_DISCHARGE'::text, 'UPLOAD_SUMMARY'::text]))),
  constraint facility_links_recipient_check CHECK ((length(recipient) <= 254)),
  constraint facility_links_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES users(id),
  constraint facility_links_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE,
  constraint facility_links_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  constraint facility_links_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint facility_links_token_hash_key UNIQUE (token_hash),
  constraint facility_links_tries_check CHECK (((tries >= 0) AND (tries <= 3))),
  constraint facility_links_wrong_check CHECK (((wrong >= 0) AND (wrong <= 3)))
);

create table facility_silences (
  feed_id bigint not null,
  group_id bigint not null,
  since timestamp with time zone not null,
  constraint facility_silences_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint facility_silences_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint facility_silences_pkey PRIMARY KEY (feed_id, group_id)
);

create table facts (
  id bigint generated always as identity not null,
  source_patient_id bigint not null,
  message_id bigint not null,
  ordinal smallint not null,
  adt jsonb not null,
  manual_code text,
  encounter_id bigint,
  outcome text default ''::text not null,
  is_backfill boolean default false not null,
  received_at timestamp with time zone not null,
  shared_feed_id bigint,
  constraint facts_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) DEFERRABLE INITIALLY DEFERRED,
  constraint facts_message_id_ordinal_key UNIQUE (message_id, ordinal),
  constraint facts_pkey PRIMARY KEY (id),
  constraint facts_shared_feed_id_fkey FOREIGN KEY (shared_feed_id) REFERENCES feeds(id),
  constraint facts_source_patient_id_fkey FOREIGN KEY (source_patient_id) REFERENCES source_patients(id)
);

create table feed_codes (
  feed_id bigint not null,
  day date not null,
  field text not null,
  code text not null,
  messages integer not null,
  constraint feed_codes_field_check CHECK ((field = ANY (ARRAY['PV1-2'::text, 'PV1-36'::text]))),
  constraint feed_codes_pkey PRIMARY KEY (feed_id, day, field, code)
);

create table feed_counts (
  feed_id bigint not null,
  day date not null,
  received integer default 0 not null,
  duplicates integer default 0 not null,
  last_at timestamp with time zone not null,
  constraint feed_counts_pkey PRIMARY KEY (feed_id, day)
);

create table feed_date_orders (
  feed_id bigint not null,
  seen text not null,
  messages integer not null,
  last_at timestamp with time zone not null,
  constraint feed_date_orders_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint feed_date_orders_pkey PRIMARY KEY (feed_id, seen),
  constraint feed_date_orders_seen_check CHECK ((seen = ANY (ARRAY['MDY'::text, 'DMY'::text, 'EITHER'::text])))
);

create table feed_delays (
  feed_id bigint not null,
  day date not null,
  within integer not null,
  messages integer not null,
  constraint feed_delays_pkey PRIMARY KEY (feed_id, day, within),
  constraint feed_delays_within_check CHECK ((within = ANY (ARRAY[1, 5, 15, 60, 240, 1440, 0])))
);

create table feed_facilities (
  feed_id bigint not null,
  identifier text not null,
  group_id bigint not null,
  registration_is_visit boolean default false not null,
  constraint feed_facilities_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint feed_facilities_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint feed_facilities_pkey PRIMARY KEY (feed_id, identifier)
);

create table feed_fields (
  feed_id bigint not null,
  day date not null,
  field text not null,
  messages integer not null,
  missing integer not null,
  constraint feed_fields_pkey PRIMARY KEY (feed_id, day, field)
);

create table feed_hours (
  feed_id bigint not null,
  hour timestamp with time zone not null,
  received integer default 0 not null,
  constraint feed_hours_pkey PRIMARY KEY (feed_id, hour)
);

create table feeds (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  name text not null,
  kind text not null,
  sending_application text,
  sending_facility text,
  settings jsonb default '{}'::jsonb not null,
  is_backfill boolean default false not null,
  created_at timestamp with time zone not null,
  paused_at timestamp with time zone,
  ended_at timestamp with time zone,
  approved_at timestamp with time zone,
  approved_by bigint,
  proposal jsonb,
  asked_by bigint,
  silent_since timestamp with time zone,
  constraint feeds_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  constraint feeds_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint feeds_kind_check CHECK ((kind = ANY (ARRAY['MLLP'::text, 'FHIR'::text, 'CCDA'::text]))),
  constraint feeds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint feeds_pkey PRIMARY KEY (id)
);

create table grants (
  user_id bigint not null,
  team_id bigint not null,
  group_id bigint not null,
  role_id bigint not null,
  added text[] default '{}'::text[] not null,
  removed text[] default '{}'::text[] not null,
  is_provisioned boolean default false not null,
  constraint grants_pkey PRIMARY KEY (user_id, team_id, group_id),
  constraint grants_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint grants_team_id_group_id_fkey FOREIGN KEY (team_id, group_id) REFERENCES team_groups(team_id, group_id),
  constraint grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table groups (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  name text not null,
  state text,
  type text not null,
  facility_type text,
  time_zone text not null,
  address text,
  is_automated boolean default false not null,
  is_part2_facility boolean default false not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  approved_at timestamp with time zone,
  approved_by bigint,
  asked_by bigint,
  constraint groups_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  constraint groups_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint groups_check CHECK (((type = 'PROGRAM'::text) = (facility_type IS NULL))),
  constraint groups_facility_type_check CHECK ((facility_type = ANY (ARRAY['HOS'::text, 'SNF'::text, 'ALF'::text, 'HHA'::text, 'HOSPICE'::text, 'LTAC'::text, 'REHAB_HOS'::text, 'URGENT_CARE'::text]))),
  constraint groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_type_check CHECK ((type = ANY (ARRAY['HOS'::text, 'SNF'::text, 'ADMITTING'::text, 'PROGRAM'::text])))
);

create table held_patients (
  id bigint generated always as identity not null,
  group_id bigint not null,
  first_name text not null,
  last_name text not null,
  gender text not null,
  date_of_birth date not null,
  zip text,
  ssn_last4 text,
  created_at timestamp with time zone not null,
  created_by bigint,
  expires_at timestamp with time zone not null,
  person_id bigint,
  checked_at timestamp with time zone,
  admitted_at timestamp with time zone,
  encounter_id bigint,
  constraint held_patients_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint held_patients_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) ON DELETE SET NULL,
  constraint held_patients_gender_check CHECK ((gender = ANY (ARRAY['Male'::text, 'Female'::text, 'Other'::text, 'Unknown'::text]))),
  constraint held_patients_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint held_patients_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE SET NULL,
  constraint held_patients_pkey PRIMARY KEY (id),
  constraint held_patients_ssn_last4_check CHECK ((ssn_last4 ~ '^\d{4}$'::text))
);

create table hl7_programs (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  name text not null,
  admitting_facility_id bigint,
  admitting_facility_type text,
  diagnosis_codes text[],
  principal_only boolean default false not null,
  drg_codes text[] default '{}'::text[] not null,
  payer text,
  discharge_setting text,
  discharged_to text,
  validity_days integer not null,
  ended_at timestamp with time zone,
  constraint hl7_programs_admitting_facility_id_fkey FOREIGN KEY (admitting_facility_id) REFERENCES groups(id),
  constraint hl7_programs_diagnosis_codes_check CHECK (((cardinality(diagnosis_codes) >= 1) AND (cardinality(diagnosis_codes) <= 200))),
  constraint hl7_programs_drg_codes_check CHECK ((cardinality(drg_codes) <= 100)),
  constraint hl7_programs_name_check CHECK (((name <> ''::text) AND (length(name) <= 120))),
  constraint hl7_programs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint hl7_programs_payer_check CHECK (((payer <> ''::text) AND (length(payer) <= 100))),
  constraint hl7_programs_pkey PRIMARY KEY (id),
  constraint hl7_programs_validity_days_check CHECK (((validity_days >= 1) AND (validity_days <= 365)))
);

create table identity_attempts (
  id bigint generated always as identity not null,
  group_id bigint not null,
  at timestamp with time zone not null,
  keys bigint[] not null,
  guesses bigint[] not null,
  constraint identity_attempts_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint identity_attempts_pkey PRIMARY KEY (id)
);

create table labeled_pairs (
  id bigint generated always as identity not null,
  review_id bigint not null,
  link_id bigint not null,
  person_id bigint not null,
  outcome text not null,
  evidence jsonb not null,
  decided_at timestamp with time zone not null,
  decided_by bigint not null,
  undone_at timestamp with time zone,
  undone_by bigint,
  constraint labeled_pairs_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint labeled_pairs_link_id_fkey FOREIGN KEY (link_id) REFERENCES person_links(id),
  constraint labeled_pairs_outcome_check CHECK ((outcome = ANY (ARRAY['SAME'::text, 'DIFFERENT'::text]))),
  constraint labeled_pairs_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint labeled_pairs_pkey PRIMARY KEY (id),
  constraint labeled_pairs_review_id_fkey FOREIGN KEY (review_id) REFERENCES match_reviews(id),
  constraint labeled_pairs_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES users(id)
);

create table list_snapshots (
  number integer generated always as identity not null,
  created_at timestamp with time zone not null,
  people integer not null,
  given_names jsonb not null,
  family_names jsonb not null,
  housemates real not null,
  persons integer not null,
  constraint list_snapshots_housemates_check CHECK ((housemates >= (0)::double precision)),
  constraint list_snapshots_people_check CHECK ((people > 0)),
  constraint list_snapshots_pkey PRIMARY KEY (number)
);

create table management_statuses (
  id bigint generated always as identity not null,
  event_id bigint not null,
  group_ids bigint[] not null,
  ping_ids bigint[] not null,
  status text not null,
  resolutions text[] not null,
  other_text text,
  user_id bigint,
  username text not null,
  changed_at timestamp with time zone not null,
  display_name text,
  constraint management_statuses_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id),
  constraint management_statuses_other_text_check CHECK ((length(other_text) <= 2000)),
  constraint management_statuses_pkey PRIMARY KEY (id),
  constraint management_statuses_status_check CHECK ((status = ANY (ARRAY['NEW'::text, 'IN_PROGRESS'::text, 'RESOLVED'::text, 'DISMISSED'::text]))),
  constraint management_statuses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table match_reviews (
  id bigint generated always as identity not null,
  subject text not null,
  subject_id bigint not null,
  group_id bigint not null,
  candidates jsonb not null,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  decision_person_id bigint,
  link_id bigint,
  salt uuid default gen_random_uuid() not null,
  likelihood double precision default 0 not null,
  digest text generated always as (md5(((salt)::text || (candidates)::text))) stored not null,
  constraint match_reviews_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint match_reviews_decision_person_id_fkey FOREIGN KEY (decision_person_id) REFERENCES persons(id),
  constraint match_reviews_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint match_reviews_link_id_fkey FOREIGN KEY (link_id) REFERENCES person_links(id),
  constraint match_reviews_pkey PRIMARY KEY (id),
  constraint match_reviews_subject_check CHECK ((subject = ANY (ARRAY['SOURCE_PATIENT'::text, 'ROSTER_PATIENT'::text]))),
  constraint match_reviews_subject_subject_id_key UNIQUE (subject, subject_id)
);

create table matcher_runs (
  id bigint generated always as identity not null,
  version text not null,
  step text not null,
  after_likelihood double precision,
  after_id bigint default 0 not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint matcher_runs_pkey PRIMARY KEY (id),
  constraint matcher_runs_step_check CHECK ((step = ANY (ARRAY['PATIENT_KEYS'::text, 'LISTING_KEYS'::text, 'REVIEWS'::text, 'LINKS'::text, 'LONE_PATIENTS'::text, 'LONE_LISTINGS'::text])))
);

create table message_digests (
  digest bytea not null,
  message_id bigint not null,
  received_at timestamp with time zone not null,
  constraint message_digests_pkey PRIMARY KEY (digest)
);

create table message_dismissals (
  id bigint generated always as identity not null,
  message_id bigint not null,
  cause text not null,
  note text default ''::text not null,
  quarantine_reason text not null,
  dismissed_at timestamp with time zone not null,
  dismissed_by bigint not null,
  display_name text not null,
  ended_at timestamp with time zone,
  constraint message_dismissals_cause_check CHECK ((cause = ANY (ARRAY['TEST'::text, 'RESENT'::text, 'NOT_OURS'::text, 'OTHER'::text]))),
  constraint message_dismissals_dismissed_by_fkey FOREIGN KEY (dismissed_by) REFERENCES users(id),
  constraint message_dismissals_note_check CHECK ((length(note) <= 200)),
  constraint message_dismissals_pkey PRIMARY KEY (id)
);

create table messages (
  id bigint generated always as identity not null,
  received_at timestamp with time zone not null,
  source text not null,
  remote text,
  raw bytea,
  digest bytea not null,
  lane integer not null,
  feed_id bigint,
  control_id text,
  message_type text,
  sending_application text,
  sending_facility text,
  status text not null,
  reason text default ''::text not null,
  attempts smallint default 0 not null,
  processed_at timestamp with time zone,
  entered_by bigint,
  sender bigint default 0 not null,
  constraint messages_source_check CHECK ((source = ANY (ARRAY['MLLP'::text, 'FHIR'::text, 'CCDA'::text, 'MANUAL'::text, 'LINK'::text]))),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPLIED'::text, 'NOT_ACTED_ON'::text, 'QUARANTINED'::text, 'DUPLICATE'::text])))
) partition by LIST (status);

create table messages_archive partition of messages FOR VALUES IN ('APPLIED', 'NOT_ACTED_ON', 'QUARANTINED', 'DUPLICATE') (
  constraint messages_archive_pkey PRIMARY KEY (id, received_at)
) partition by RANGE (received_at);

create table messages_waiting partition of messages FOR VALUES IN ('PENDING') (
  constraint messages_waiting_pkey PRIMARY KEY (id)
);

create table migrations (
  name text collate "C" not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table mllp_senders (
  address text not null,
  last_message_at timestamp with time zone not null,
  feed_id bigint not null,
  first_message_at timestamp with time zone not null,
  constraint mllp_senders_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint mllp_senders_pkey PRIMARY KEY (feed_id, address)
);

create table notification_cursor (
  is_only boolean default true not null,
  snapshot text not null,
  identity text not null,
  constraint notification_cursor_is_only_check CHECK (is_only),
  constraint notification_cursor_pkey PRIMARY KEY (is_only)
);

create table notification_matches (
  id bigint generated always as identity not null,
  filter_id bigint,
  ping_id bigint not null,
  user_id bigint not null,
  team_id bigint not null,
  matched_at timestamp with time zone not null,
  notification_id bigint,
  told_state text default 'ACTIVE'::text not null,
  to_correct_since timestamp with time zone,
  told text,
  constraint notification_matches_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES saved_filters(id) ON DELETE SET NULL,
  constraint notification_matches_filter_id_ping_id_user_id_key UNIQUE (filter_id, ping_id, user_id),
  constraint notification_matches_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint notification_matches_ping_id_fkey FOREIGN KEY (ping_id) REFERENCES pings(id) ON DELETE CASCADE,
  constraint notification_matches_pkey PRIMARY KEY (id),
  constraint notification_matches_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint notification_matches_told_state_check CHECK ((told_state = ANY (ARRAY['ACTIVE'::text, 'AMENDED'::text, 'CANCELLED'::text]))),
  constraint notification_matches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table notification_preferences (
  filter_id bigint not null,
  user_id bigint not null,
  team_id bigint not null,
  by_email boolean not null,
  by_text boolean not null,
  timing text not null,
  digest_hour smallint not null,
  is_muted boolean not null,
  active_since timestamp with time zone not null,
  constraint notification_preferences_digest_hour_check CHECK (((digest_hour >= 0) AND (digest_hour <= 23))),
  constraint notification_preferences_filter_id_team_id_fkey FOREIGN KEY (filter_id, team_id) REFERENCES saved_filters(id, team_id) ON DELETE CASCADE,
  constraint notification_preferences_pkey PRIMARY KEY (filter_id, user_id),
  constraint notification_preferences_timing_check CHECK ((timing = ANY (ARRAY['AT_ONCE'::text, 'DAILY'::text])))
);

create table notifications (
  id bigint generated always as identity not null,
  uuid uuid not null,
  user_id bigint not null,
  team_id bigint not null,
  filter_id bigint,
  search_context text not null,
  corrects bigint,
  pings integer not null,
  created_at timestamp with time zone not null,
  patient_id text,
  opens_documents boolean default false not null,
  constraint notifications_corrects_fkey FOREIGN KEY (corrects) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint notifications_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES saved_filters(id) ON DELETE SET NULL,
  constraint notifications_pings_check CHECK ((pings >= 0)),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_search_context_check CHECK ((search_context = ANY (ARRAY['ALL'::text, 'PINGS'::text, 'EVENTS'::text]))),
  constraint notifications_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint notifications_uuid_key UNIQUE (uuid)
);

create table opt_outs (
  user_id bigint not null,
  feature text not null,
  created_at timestamp with time zone not null,
  constraint opt_outs_pkey PRIMARY KEY (user_id, feature),
  constraint opt_outs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table organizations (
  id bigint generated always as identity not null,
  name text not null,
  created_at timestamp with time zone not null,
  requires_second_factor boolean default false not null,
  allows_emergency_access boolean default false not null,
  added_holidays date[] default '{}'::date[] not null,
  removed_holidays date[] default '{}'::date[] not null,
  rising_risk_rule jsonb,
  embedded_spotlights text,
  requires_sso boolean default false not null,
  session_hours smallint,
  inactivity_minutes smallint,
  constraint few_holidays CHECK (((cardinality(added_holidays) <= 100) AND (cardinality(removed_holidays) <= 100))),
  constraint organizations_inactivity_minutes_check CHECK (((inactivity_minutes >= 10) AND (inactivity_minutes <= 40))),
  constraint organizations_name_key UNIQUE (name),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_session_hours_check CHECK (((session_hours >= 1) AND (session_hours <= 168))),
  constraint rising_risk_rule_is_one CHECK (((rising_risk_rule IS NULL) OR ((jsonb_typeof(rising_risk_rule) = 'object'::text) AND (pg_column_size(rising_risk_rule) < 1000))))
);

create table outbox (
  id bigint generated always as identity not null,
  channel text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  failure text,
  state text default 'queued'::text not null,
  attempts smallint default 0 not null,
  attempted_at timestamp with time zone,
  topic text default 'ACCOUNT'::text not null,
  once_key text,
  user_id bigint,
  notification_id bigint,
  constraint outbox_channel_check CHECK ((channel = ANY (ARRAY['e-mail'::text, 'text'::text]))),
  constraint outbox_check CHECK (((once_key IS NULL) = (topic = 'ACCOUNT'::text))),
  constraint outbox_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE SET NULL,
  constraint outbox_once_key_key UNIQUE (once_key),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'suppressed'::text]))),
  constraint outbox_topic_check CHECK ((topic = ANY (ARRAY['ACCOUNT'::text, 'SAVED_FILTER'::text, 'CORRECTION'::text]))),
  constraint outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table outpatient_codes (
  feed_id bigint not null,
  month date not null,
  field text not null,
  code text not null,
  arrivals integer default 0 not null,
  discharges integer default 0 not null,
  long_stays integer default 0 not null,
  constraint outpatient_codes_field_check CHECK ((field = ANY (ARRAY['PV1-10'::text, 'PV1-18'::text]))),
  constraint outpatient_codes_pkey PRIMARY KEY (feed_id, month, field, code)
);

create table page_uses (
  user_id bigint not null,
  organization_id bigint not null,
  team_id bigint,
  location text not null,
  day date not null,
  uses integer not null,
  last_at timestamp with time zone not null,
  constraint page_uses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint page_uses_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint page_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint page_uses_user_id_team_id_location_day_key UNIQUE NULLS NOT DISTINCT (user_id, team_id, location, day)
);

create table passkeys (
  id bigint generated always as identity not null,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table password_history (
  id bigint generated always as identity not null,
  user_id bigint not null,
  password_hash text not null,
  replaced_at timestamp with time zone not null,
  constraint password_history_pkey PRIMARY KEY (id),
  constraint password_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table patient_tags (
  roster_patient_id bigint not null,
  tag_id bigint not null,
  set_at timestamp with time zone not null,
  set_by bigint,
  constraint patient_tags_pkey PRIMARY KEY (roster_patient_id, tag_id),
  constraint patient_tags_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id) ON DELETE CASCADE,
  constraint patient_tags_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id),
  constraint patient_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table patient_viewers (
  team_id bigint not null,
  person_id bigint not null,
  user_id bigint not null,
  display_name text not null,
  seen_at timestamp with time zone not null,
  constraint patient_viewers_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE,
  constraint patient_viewers_pkey PRIMARY KEY (team_id, person_id, user_id),
  constraint patient_viewers_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  constraint patient_viewers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table pending_grants (
  id bigint generated always as identity not null,
  user_id bigint not null,
  team_id bigint not null,
  group_id bigint not null,
  role_id bigint not null,
  added text[] default '{}'::text[] not null,
  removed text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  constraint pending_grants_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint pending_grants_pkey PRIMARY KEY (id),
  constraint pending_grants_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint pending_grants_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint pending_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint pending_grants_user_id_team_id_group_id_key UNIQUE (user_id, team_id, group_id)
);

create table person_links (
  id bigint generated always as identity not null,
  subject text not null,
  subject_id bigint not null,
  person_id bigint not null,
  previous_person_id bigint,
  outcome text not null,
  rule_id text,
  evidence jsonb not null,
  decided_by bigint,
  created_at timestamp with time zone not null,
  constraint person_links_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint person_links_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'review'::text, 'new'::text, 'merged'::text, 'decided'::text, 'undone'::text]))),
  constraint person_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint person_links_pkey PRIMARY KEY (id),
  constraint person_links_previous_person_id_fkey FOREIGN KEY (previous_person_id) REFERENCES persons(id),
  constraint person_links_subject_check CHECK ((subject = ANY (ARRAY['SOURCE_PATIENT'::text, 'ROSTER_PATIENT'::text])))
);

create table persons (
  id bigint generated always as identity not null,
  created_at timestamp with time zone not null,
  constraint persons_pkey PRIMARY KEY (id)
);

create table phone_verifications (
  request_hash bytea not null,
  user_id bigint not null,
  phone text not null,
  code_hash bytea not null,
  tries smallint default 0 not null,
  created_at timestamp with time zone not null,
  constraint phone_verifications_pkey PRIMARY KEY (request_hash),
  constraint phone_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table pings (
  id bigint generated always as identity not null,
  event_id bigint not null,
  group_id bigint not null,
  roster_patient_id bigint not null,
  encounter_id bigint not null,
  event_at timestamp with time zone not null,
  state text not null,
  management_status text default 'NEW'::text not null,
  status_id bigint,
  status_at timestamp with time zone,
  is_current boolean default false not null,
  is_late boolean not null,
  created_at timestamp with time zone not null,
  constraint pings_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id),
  constraint pings_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id),
  constraint pings_event_id_roster_patient_id_key UNIQUE (event_id, roster_patient_id),
  constraint pings_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint pings_management_status_check CHECK ((management_status = ANY (ARRAY['NEW'::text, 'IN_PROGRESS'::text, 'RESOLVED'::text, 'DISMISSED'::text]))),
  constraint pings_pkey PRIMARY KEY (id),
  constraint pings_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id),
  constraint pings_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'AMENDED'::text, 'CANCELLED'::text]))),
  constraint pings_status_id_fkey FOREIGN KEY (status_id) REFERENCES management_statuses(id)
);

create table provider_group_access (
  provider_group_id bigint not null,
  team_id bigint not null,
  role_id bigint not null,
  constraint provider_group_access_pkey PRIMARY KEY (provider_group_id, team_id),
  constraint provider_group_access_provider_group_id_fkey FOREIGN KEY (provider_group_id) REFERENCES provider_groups(id) ON DELETE CASCADE,
  constraint provider_group_access_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint provider_group_access_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);

create table provider_group_members (
  provider_group_id bigint not null,
  user_id bigint not null,
  constraint provider_group_members_pkey PRIMARY KEY (provider_group_id, user_id),
  constraint provider_group_members_provider_group_id_fkey FOREIGN KEY (provider_group_id) REFERENCES provider_groups(id) ON DELETE CASCADE,
  constraint provider_group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table provider_groups (
  id bigint generated always as identity not null,
  connection_id bigint not null,
  external_id text,
  display_name text not null,
  created_at timestamp with time zone not null,
  constraint provider_groups_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON DELETE CASCADE,
  constraint provider_groups_pkey PRIMARY KEY (id)
);

create table quiet_hours (
  user_id bigint not null,
  from_hour smallint not null,
  until_hour smallint not null,
  constraint quiet_hours_check CHECK ((((until_hour >= 0) AND (until_hour <= 23)) AND (until_hour <> from_hour))),
  constraint quiet_hours_from_hour_check CHECK (((from_hour >= 0) AND (from_hour <= 23))),
  constraint quiet_hours_pkey PRIMARY KEY (user_id),
  constraint quiet_hours_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table rebuild_failures (
  run_id bigint not null,
  message_id bigint not null,
  reason text not null,
  constraint rebuild_failures_pkey PRIMARY KEY (run_id, message_id),
  constraint rebuild_failures_reason_check CHECK ((length(reason) <= 500)),
  constraint rebuild_failures_run_id_fkey FOREIGN KEY (run_id) REFERENCES rebuild_runs(id)
);

create table rebuild_runs (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  last_message bigint not null,
  after_message bigint default 0 not null,
  read integer default 0 not null,
  changed integer default 0 not null,
  unread integer default 0 not null,
  finished_at timestamp with time zone,
  constraint rebuild_runs_pkey PRIMARY KEY (id)
);

create table record_openings (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  person_id bigint not null,
  group_id bigint not null,
  roster_patient_id bigint not null,
  how text not null,
  user_id bigint,
  upload_id bigint,
  opens_from timestamp with time zone not null,
  foreign_visits integer not null,
  constraint record_openings_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint record_openings_how_check CHECK ((how = ANY (ARRAY['ROSTER'::text, 'MANUAL'::text, 'FEED'::text, 'REVIEW'::text, 'PART2_LIFTED'::text]))),
  constraint record_openings_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint record_openings_pkey PRIMARY KEY (id),
  constraint record_openings_roster_patient_id_fkey FOREIGN KEY (roster_patient_id) REFERENCES roster_patients(id),
  constraint record_openings_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id),
  constraint record_openings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table right_uses (
  user_id bigint not null,
  organization_id bigint not null,
  team_id bigint not null,
  sign text not null,
  last_at timestamp with time zone not null,
  constraint right_uses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint right_uses_pkey PRIMARY KEY (user_id, team_id, sign),
  constraint right_uses_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint right_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table roles (
  id bigint generated always as identity not null,
  organization_id bigint,
  name text not null,
  permissions text[] not null,
  ended_at timestamp with time zone,
  constraint roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint roles_pkey PRIMARY KEY (id)
);

create table roster_headers (
  group_id bigint not null,
  header_key text not null,
  header text not null,
  column_name text,
  username text not null,
  changed_at timestamp with time zone not null,
  changed_by_name text,
  constraint roster_headers_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint roster_headers_pkey PRIMARY KEY (group_id, header_key)
);

create table roster_patients (
  id bigint generated always as identity not null,
  group_id bigint not null,
  member_id text not null,
  person_id bigint not null,
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
  programs text[] default '{}'::text[] not null,
  practices text[] default '{}'::text[] not null,
  provider_first_name text,
  provider_last_name text,
  provider_npi text,
  care_coordinators text[] default '{}'::text[] not null,
  insurance text[] default '{}'::text[] not null,
  tags text[] default '{}'::text[] not null,
  care_gaps text[] default '{}'::text[] not null,
  advance_care_documents text[] default '{}'::text[] not null,
  billing_agencies text[] default '{}'::text[] not null,
  content_hash bytea,
  sort_first text collate "C" not null,
  sort_last text collate "C" not null,
  listed_at timestamp with time zone not null,
  left_at timestamp with time zone,
  leaves_at timestamp with time zone,
  sound_last text collate "C" default ''::text not null,
  opens_from timestamp with time zone not null,
  relationship text,
  upload_id bigint,
  attested_by bigint,
  address3 text,
  provider_title text,
  provider_type text,
  provider_phone text,
  provider_fax text,
  provider_email text,
  provider_direct_message text,
  care_coordinator_titles text[] default '{}'::text[] not null,
  care_coordinator_phones text[] default '{}'::text[] not null,
  care_coordinator_faxes text[] default '{}'::text[] not null,
  care_coordinator_emails text[] default '{}'::text[] not null,
  care_coordinator_event_types text[] default '{}'::text[] not null,
  constraint roster_patients_attested_by_fkey FOREIGN KEY (attested_by) REFERENCES users(id),
  constraint roster_patients_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint roster_patients_group_id_member_id_key UNIQUE (group_id, member_id),
  constraint roster_patients_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint roster_patients_pkey PRIMARY KEY (id),
  constraint roster_patients_relationship_check CHECK ((relationship = ANY (ARRAY['TREATMENT'::text, 'COVERAGE'::text, 'CARE_COORDINATION'::text]))),
  constraint roster_patients_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id)
);

create table roster_upload_before (
  upload_id bigint not null,
  listing_id bigint not null,
  cells jsonb,
  content_hash bytea,
  relationship text,
  written_by bigint,
  attested_by bigint,
  opens_from timestamp with time zone not null,
  constraint roster_upload_before_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES roster_patients(id) ON DELETE CASCADE,
  constraint roster_upload_before_pkey PRIMARY KEY (upload_id, listing_id),
  constraint roster_upload_before_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id) ON DELETE CASCADE
);

create table roster_upload_changes (
  upload_id bigint not null,
  kind text not null,
  "position" integer not null,
  row_number integer,
  listing_id bigint,
  constraint roster_upload_changes_kind_check CHECK ((kind = ANY (ARRAY['ADDED'::text, 'CHANGED'::text, 'REMOVED'::text]))),
  constraint roster_upload_changes_pkey PRIMARY KEY (upload_id, kind, "position"),
  constraint roster_upload_changes_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id) ON DELETE CASCADE
);

create table roster_upload_rows (
  upload_id bigint not null,
  row_number integer not null,
  member_id text not null,
  cells jsonb,
  errors jsonb,
  content_hash bytea,
  constraint roster_upload_rows_pkey PRIMARY KEY (upload_id, row_number),
  constraint roster_upload_rows_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id) ON DELETE CASCADE
);

create table roster_upload_warnings (
  upload_id bigint not null,
  row_number integer not null,
  member_id text not null,
  warnings jsonb not null,
  constraint roster_upload_warnings_pkey PRIMARY KEY (upload_id, row_number),
  constraint roster_upload_warnings_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES roster_uploads(id) ON DELETE CASCADE
);

create table roster_uploads (
  id bigint generated always as identity not null,
  group_id bigint not null,
  status text not null,
  user_id bigint,
  username text not null,
  file_name text not null,
  file_error text,
  total_rows integer default 0 not null,
  error_rows integer default 0 not null,
  created_count integer default 0 not null,
  updated_count integer default 0 not null,
  removed_count integer default 0 not null,
  unchanged_count integer default 0 not null,
  errors_by_column jsonb default '{}'::jsonb not null,
  ignored_columns text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  finished_at timestamp with time zone,
  unplaced_rows integer default 0 not null,
  receiving_until timestamp with time zone,
  relationship text,
  waits_for text,
  warnings_by_column jsonb default '{}'::jsonb not null,
  has_day_first boolean default false not null,
  is_previewed boolean default false not null,
  listed_before integer default 0 not null,
  matched_rows integer default 0 not null,
  waits_until timestamp with time zone,
  decided_by text,
  decided_at timestamp with time zone,
  undoes bigint,
  identified_row integer default 0 not null,
  uploader_name text,
  decided_by_name text,
  encoding text,
  garbled_cells integer default 0 not null,
  cleared_by_column jsonb default '{}'::jsonb not null,
  constraint roster_uploads_encoding_check CHECK ((encoding = ANY (ARRAY['UTF_8'::text, 'UTF_16'::text, 'WINDOWS_1252'::text, 'UTF_8_AND_WINDOWS_1252'::text]))),
  constraint roster_uploads_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint roster_uploads_pkey PRIMARY KEY (id),
  constraint roster_uploads_relationship_check CHECK ((relationship = ANY (ARRAY['TREATMENT'::text, 'COVERAGE'::text, 'CARE_COORDINATION'::text]))),
  constraint roster_uploads_status_check CHECK ((status = ANY (ARRAY['RECEIVING'::text, 'RECEIVED'::text, 'VALIDATING'::text, 'AWAITING_CONFIRMATION'::text, 'APPLYING'::text, 'DONE'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint roster_uploads_undoes_fkey FOREIGN KEY (undoes) REFERENCES roster_uploads(id),
  constraint roster_uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint roster_uploads_waits_for_check CHECK ((waits_for = ANY (ARRAY['OPERATOR'::text, 'CONFIRMATION'::text, 'PREVIEW'::text])))
);

create table saved_filters (
  id bigint generated always as identity not null,
  user_id bigint not null,
  team_id bigint not null,
  name text not null,
  order_num integer not null,
  parameters jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  shared_at timestamp with time zone,
  constraint saved_filters_id_team_id_key UNIQUE (id, team_id),
  constraint saved_filters_order_num_check CHECK ((order_num >= 1)),
  constraint saved_filters_pkey PRIMARY KEY (id),
  constraint saved_filters_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint saved_filters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint saved_filters_user_id_team_id_order_num_key UNIQUE (user_id, team_id, order_num) DEFERRABLE
);

create table scim_tokens (
  id bigint generated always as identity not null,
  connection_id bigint not null,
  token_hash bytea not null,
  ending text not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  last_used_at timestamp with time zone,
  constraint scim_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON DELETE CASCADE,
  constraint scim_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint scim_tokens_pkey PRIMARY KEY (id),
  constraint scim_tokens_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES users(id),
  constraint scim_tokens_token_hash_key UNIQUE (token_hash)
);

create table search_preferences (
  user_id bigint not null,
  team_id bigint not null,
  module_name text not null,
  filter_id bigint not null,
  constraint search_preferences_filter_id_team_id_fkey FOREIGN KEY (filter_id, team_id) REFERENCES saved_filters(id, team_id) ON DELETE CASCADE,
  constraint search_preferences_module_name_check CHECK ((module_name = ANY (ARRAY['PATIENT_SEARCH'::text, 'PING_SEARCH'::text, 'NOTIFICATIONS'::text, 'EXPORTS'::text, 'HOSPITAL_PATIENT_SEARCH'::text, 'RISING_RISK'::text, 'EVENT_FEED'::text]))),
  constraint search_preferences_pkey PRIMARY KEY (user_id, team_id, module_name)
);

create table sessions (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  id text default (gen_random_uuid())::text not null,
  device text default ''::text not null,
  must_change_password boolean default false not null,
  patient_id text,
  ehr_patient_identifier text,
  need_patient_banner boolean default true not null,
  launch_connection_id bigint,
  verified_at timestamp with time zone,
  must_enroll boolean default false not null,
  address text default ''::text not null,
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_launch_connection_id_fkey FOREIGN KEY (launch_connection_id) REFERENCES sso_connections(id) ON DELETE SET NULL,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table shared_filter_uses (
  filter_id bigint not null,
  user_id bigint not null,
  last_used_at timestamp with time zone not null,
  constraint shared_filter_uses_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES saved_filters(id) ON DELETE CASCADE,
  constraint shared_filter_uses_pkey PRIMARY KEY (filter_id, user_id),
  constraint shared_filter_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table shared_stays (
  feed_id bigint not null,
  mark text not null,
  group_id bigint not null,
  record_number text not null,
  constraint shared_stays_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id),
  constraint shared_stays_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint shared_stays_pkey PRIMARY KEY (feed_id, mark)
);

create table sign_in_challenges (
  token_hash bytea not null,
  kind text not null,
  user_id bigint,
  connection_id bigint,
  detail jsonb default '{}'::jsonb not null,
  tries smallint default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_kind_check CHECK ((kind = ANY (ARRAY['MFA'::text, 'MFA_AGAIN'::text, 'MFA_ENROLMENT'::text, 'PASSKEY'::text, 'PASSKEY_ENROLMENT'::text, 'OIDC'::text, 'SAML'::text, 'SMART'::text]))),
  constraint sign_in_challenges_pkey PRIMARY KEY (token_hash),
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table sign_in_places (
  account bytea not null,
  place bytea not null,
  wrong_in_a_row integer not null,
  tried_at timestamp with time zone not null,
  locked_at timestamp with time zone,
  constraint sign_in_places_pkey PRIMARY KEY (account, place)
);

create table source_patients (
  id bigint generated always as identity not null,
  group_id bigint not null,
  record_number text not null,
  dossier_id bigint not null,
  person_id bigint not null,
  demographics jsonb not null,
  demographics_at timestamp with time zone,
  deceased boolean default false not null,
  deceased_on date,
  created_at timestamp with time zone not null,
  apart_from bigint,
  merge_held bigint,
  constraint source_patients_apart_from_fkey FOREIGN KEY (apart_from) REFERENCES source_patients(id),
  constraint source_patients_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint source_patients_group_id_record_number_key UNIQUE (group_id, record_number),
  constraint source_patients_merge_held_fkey FOREIGN KEY (merge_held) REFERENCES source_patients(id),
  constraint source_patients_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  constraint source_patients_pkey PRIMARY KEY (id)
);

create table sso_connections (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  key text default (gen_random_uuid())::text not null,
  kind text not null,
  name text not null,
  is_enabled boolean not null,
  domains text[] default '{}'::text[] not null,
  issuer text not null,
  client_id text,
  client_secret text,
  entry_point text,
  certificates text[] default '{}'::text[] not null,
  allowed_origins text[] default '{}'::text[] not null,
  application_experience text not null,
  created_at timestamp with time zone not null,
  tested_at timestamp with time zone,
  new_user_team_id bigint,
  new_user_role_id bigint,
  constraint sso_connections_key_key UNIQUE (key),
  constraint sso_connections_kind_check CHECK ((kind = ANY (ARRAY['OIDC'::text, 'SAML'::text, 'SMART'::text]))),
  constraint sso_connections_new_user_role_id_fkey FOREIGN KEY (new_user_role_id) REFERENCES roles(id) ON DELETE SET NULL,
  constraint sso_connections_new_user_team_id_fkey FOREIGN KEY (new_user_team_id) REFERENCES teams(id) ON DELETE SET NULL,
  constraint sso_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint sso_connections_organization_id_name_key UNIQUE (organization_id, name),
  constraint sso_connections_pkey PRIMARY KEY (id)
);

create table started_messages (
  message_id bigint not null,
  alone smallint not null,
  constraint started_messages_pkey PRIMARY KEY (message_id)
);

create table started_uploads (
  upload_id bigint not null,
  starts smallint not null,
  constraint started_uploads_pkey PRIMARY KEY (upload_id)
);

create table stay_views (
  user_id bigint not null,
  encounter_id bigint not null,
  seen_until timestamp with time zone not null,
  constraint stay_views_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) ON DELETE CASCADE,
  constraint stay_views_pkey PRIMARY KEY (user_id, encounter_id),
  constraint stay_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table stay_work (
  id bigint generated always as identity not null,
  team_id bigint not null,
  encounter_id bigint not null,
  owner_id bigint,
  owner jsonb,
  wait jsonb,
  change_id bigint default 0 not null,
  constraint stay_work_check CHECK (((owner IS NULL) = (owner_id IS NULL))),
  constraint stay_work_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) ON DELETE CASCADE,
  constraint stay_work_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint stay_work_pkey PRIMARY KEY (id),
  constraint stay_work_team_id_encounter_id_key UNIQUE (team_id, encounter_id),
  constraint stay_work_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);

create table stay_work_changes (
  id bigint generated always as identity not null,
  stay_work_id bigint not null,
  kind text not null,
  before jsonb not null,
  after jsonb not null,
  user_id bigint not null,
  display_name text not null,
  changed_at timestamp with time zone not null,
  constraint stay_work_changes_kind_check CHECK ((kind = ANY (ARRAY['ASSIGN'::text, 'SNOOZE'::text, 'HAND_OVER'::text]))),
  constraint stay_work_changes_pkey PRIMARY KEY (id),
  constraint stay_work_changes_stay_work_id_fkey FOREIGN KEY (stay_work_id) REFERENCES stay_work(id) ON DELETE CASCADE,
  constraint stay_work_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table tags (
  id bigint generated always as identity not null,
  team_id bigint not null,
  name text not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  constraint tags_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint tags_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint tags_pkey PRIMARY KEY (id),
  constraint tags_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);

create table team_groups (
  team_id bigint not null,
  group_id bigint not null,
  gives_access boolean default true not null,
  constraint team_groups_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint team_groups_pkey PRIMARY KEY (team_id, group_id),
  constraint team_groups_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table teams (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  name text not null,
  abbreviation text not null,
  type text not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_type_check CHECK ((type = ANY (ARRAY['HOS'::text, 'SNF'::text, 'ADMITTING'::text, 'PROGRAM'::text])))
);

create table text_opt_outs (
  phone text not null,
  opted_out_at timestamp with time zone not null,
  constraint text_opt_outs_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{7,14}$'::text)),
  constraint text_opt_outs_pkey PRIMARY KEY (phone)
);

create table three_day_waivers (
  id bigint generated always as identity not null,
  encounter_id bigint not null,
  group_id bigint not null,
  status text not null,
  rule text not null,
  confirmed text[] not null,
  changed_at timestamp with time zone not null,
  changed_by bigint not null,
  constraint three_day_waivers_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint three_day_waivers_encounter_id_fkey FOREIGN KEY (encounter_id) REFERENCES encounters(id) ON DELETE CASCADE,
  constraint three_day_waivers_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint three_day_waivers_pkey PRIMARY KEY (id),
  constraint three_day_waivers_rule_check CHECK ((rule = ANY (ARRAY['MSSP'::text, 'TEAM'::text]))),
  constraint three_day_waivers_status_check CHECK ((status = ANY (ARRAY['NA'::text, 'PENDING'::text, 'APPROVED'::text, 'NOT_APPROVED'::text])))
);

create table unknown_sender_days (
  day date not null,
  address text not null,
  stored_bytes bigint not null,
  refused integer not null,
  refused_at timestamp with time zone,
  constraint unknown_sender_days_pkey PRIMARY KEY (day, address)
);

create table usage_events (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  user_id bigint,
  username text,
  name text not null,
  detail jsonb not null,
  constraint usage_events_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);

create table used_assertions (
  digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_assertions_pkey PRIMARY KEY (digest)
);

create table users (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  title text,
  user_type_title text,
  application_experience text not null,
  primary_clinical_setting text,
  is_operator boolean default false not null,
  password_hash text,
  password_changed_at timestamp with time zone,
  default_team_id bigint,
  created_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  disabled_at timestamp with time zone,
  last_activation_email_at timestamp with time zone,
  first_login_at timestamp with time zone,
  current_login_at timestamp with time zone,
  previous_login_at timestamp with time zone,
  successful_logins integer default 0 not null,
  mfa_opted_in boolean default false not null,
  guesses_since_owner_acted integer default 0 not null,
  mfa_secret text,
  mfa_last_step bigint,
  preferences jsonb default '{}'::jsonb not null,
  notification_phone text,
  sso_connection_id bigint,
  sso_subject text,
  invited_by bigint,
  appointed_by bigint,
  appointed_at timestamp with time zone,
  external_id text,
  deprovisioned_at timestamp with time zone,
  constraint users_appointed_by_fkey FOREIGN KEY (appointed_by) REFERENCES users(id),
  constraint users_default_team_id_fkey FOREIGN KEY (default_team_id) REFERENCES teams(id),
  constraint users_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_sso_connection_id_fkey FOREIGN KEY (sso_connection_id) REFERENCES sso_connections(id),
  constraint users_username_check CHECK ((username = lower(username))),
  constraint users_username_key UNIQUE (username)
);

CREATE UNIQUE INDEX access_requests_open ON tidings.access_requests USING btree (username, group_id) WHERE (decided_at IS NULL);
CREATE INDEX account_tokens_user_id_purpose_created_at_idx ON tidings.account_tokens USING btree (user_id, purpose, created_at DESC);
CREATE INDEX audit_entries_in_log ON ONLY tidings.audit_entries USING btree (at DESC, id DESC) WHERE in_log;
CREATE INDEX audit_entries_of_organization ON ONLY tidings.audit_entries USING btree (organization_id, at DESC, id DESC) INCLUDE (action, user_id, subject, subject_id) WHERE in_log;
CREATE INDEX audit_entries_patient_ids_idx ON ONLY tidings.audit_entries USING gin (patient_ids);
CREATE INDEX audit_entries_subject_subject_id_at_idx ON ONLY tidings.audit_entries USING btree (subject, subject_id, at DESC);
CREATE INDEX audit_entries_user_id_at_idx ON ONLY tidings.audit_entries USING btree (user_id, at DESC);
CREATE INDEX care_instructions_roster_patient_id_idx ON tidings.care_instructions USING btree (roster_patient_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX care_team_records_called_first ON tidings.care_team_records USING btree (roster_patient_id) WHERE (is_called_first AND (ended_at IS NULL));
CREATE INDEX care_team_records_roster_patient_id_idx ON tidings.care_team_records USING btree (roster_patient_id) WHERE (ended_at IS NULL);
CREATE INDEX change_log_xid_idx ON tidings.change_log USING btree (xid);
CREATE INDEX consents_expires_on_idx ON tidings.consents USING btree (expires_on) WHERE ((ended_at IS NULL) AND (expires_on IS NOT NULL));
CREATE INDEX consents_person_id_facility_group_id_recipient_group_id_idx ON tidings.consents USING btree (person_id, facility_group_id, recipient_group_id) WHERE (ended_at IS NULL);
CREATE INDEX consents_roster_patient_id_idx ON tidings.consents USING btree (roster_patient_id);
CREATE UNIQUE INDEX contact_attempts_once ON tidings.contact_attempts USING btree (team_id, roster_patient_id, user_id, attempted_at, channel, outcome) WHERE (removed_at IS NULL);
CREATE INDEX contact_attempts_roster_patient_id_idx ON tidings.contact_attempts USING btree (roster_patient_id);
CREATE INDEX custom_spotlights_filter ON tidings.custom_spotlights USING btree (filter_id) WHERE (filter_id IS NOT NULL);
CREATE INDEX custom_spotlights_own ON tidings.custom_spotlights USING btree (user_id, team_id);
CREATE INDEX custom_spotlights_shared ON tidings.custom_spotlights USING btree (team_id) WHERE (shared_at IS NOT NULL);
CREATE INDEX document_tokens_feed_id_idx ON tidings.document_tokens USING btree (feed_id);
CREATE INDEX documents_content_id_idx ON tidings.documents USING btree (content_id);
CREATE INDEX documents_encounter_id_idx ON tidings.documents USING btree (encounter_id) WHERE (status = 'CURRENT'::text);
CREATE INDEX documents_file_id_idx ON tidings.documents USING btree (file_id);
CREATE INDEX documents_group_id_document_number_idx ON tidings.documents USING btree (group_id, document_number) WHERE (document_number IS NOT NULL);
CREATE INDEX documents_person_id_idx ON tidings.documents USING btree (person_id) WHERE (status = 'CURRENT'::text);
CREATE INDEX documents_source_patient_id_idx ON tidings.documents USING btree (source_patient_id);
CREATE INDEX doubtful_links_link_id_idx ON tidings.doubtful_links USING btree (link_id);
CREATE INDEX doubtful_links_person_id_idx ON tidings.doubtful_links USING btree (person_id);
CREATE INDEX emergency_accesses_facility_group_ids_idx ON tidings.emergency_accesses USING gin (facility_group_ids);
CREATE INDEX emergency_accesses_roster_patient_id_idx ON tidings.emergency_accesses USING btree (roster_patient_id);
CREATE INDEX emergency_accesses_user_id_ends_at_idx ON tidings.emergency_accesses USING btree (user_id, ends_at);
CREATE INDEX encounters_group_id_status_idx ON tidings.encounters USING btree (group_id, status);
CREATE INDEX encounters_open_emergency ON tidings.encounters USING btree (admitted_at) WHERE ((status = 'IN_PROGRESS'::text) AND (setting = 'EMERGENCY'::text));
CREATE INDEX encounters_person_id_admitted_at_idx ON tidings.encounters USING btree (person_id, admitted_at DESC);
CREATE INDEX encounters_source_patient_id_idx ON tidings.encounters USING btree (source_patient_id);
CREATE INDEX export_jobs_expires_at_idx ON tidings.export_jobs USING btree (expires_at);
CREATE INDEX export_jobs_id_idx ON tidings.export_jobs USING btree (id) WHERE in_progress;
CREATE INDEX export_jobs_team_id_idx ON tidings.export_jobs USING btree (team_id);
CREATE INDEX export_jobs_user_id_id_idx ON tidings.export_jobs USING btree (user_id, id DESC);
CREATE INDEX facility_links_created_at_idx ON tidings.facility_links USING btree (created_at);
CREATE INDEX facility_links_created_by_created_at_idx ON tidings.facility_links USING btree (created_by, created_at);
CREATE INDEX facility_links_encounter_id_idx ON tidings.facility_links USING btree (encounter_id);
CREATE INDEX facility_links_open ON tidings.facility_links USING btree (expires_at) WHERE ((answered_at IS NULL) AND (revoked_at IS NULL) AND (locked_at IS NULL) AND (expired_at IS NULL));
CREATE INDEX facility_links_roster_patient_id_idx ON tidings.facility_links USING btree (roster_patient_id);
CREATE INDEX facility_links_unsent ON tidings.facility_links USING btree (id) WHERE ((answered_at IS NOT NULL) AND ((message_id IS NULL) OR ((revoked_at IS NOT NULL) AND (retraction_id IS NULL))));
CREATE INDEX facts_encounter_id_idx ON tidings.facts USING btree (encounter_id);
CREATE INDEX facts_source_patient_id_idx ON tidings.facts USING btree (source_patient_id);
CREATE UNIQUE INDEX feeds_kind_sending_application_sending_facility_idx ON tidings.feeds USING btree (kind, sending_application, sending_facility) NULLS NOT DISTINCT WHERE ((ended_at IS NULL) AND (approved_at IS NOT NULL));
CREATE UNIQUE INDEX feeds_organization_id_name_idx ON tidings.feeds USING btree (organization_id, name) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX groups_organization_id_name_idx ON tidings.groups USING btree (organization_id, name) WHERE (ended_at IS NULL);
CREATE INDEX groups_part2 ON tidings.groups USING btree (id) WHERE is_part2_facility;
CREATE INDEX held_patients_created_by_idx ON tidings.held_patients USING btree (created_by);
CREATE INDEX held_patients_encounter_id_idx ON tidings.held_patients USING btree (encounter_id);
CREATE INDEX held_patients_expires_at_idx ON tidings.held_patients USING btree (expires_at);
CREATE INDEX held_patients_group_id_admitted_at_idx ON tidings.held_patients USING btree (group_id, admitted_at);
CREATE INDEX held_patients_group_id_idx ON tidings.held_patients USING btree (group_id) WHERE (admitted_at IS NULL);
CREATE INDEX held_patients_person_id_idx ON tidings.held_patients USING btree (person_id);
CREATE UNIQUE INDEX hl7_programs_organization_id_lower_idx ON tidings.hl7_programs USING btree (organization_id, lower(name)) WHERE (ended_at IS NULL);
CREATE INDEX identity_attempts_at_idx ON tidings.identity_attempts USING btree (at);
CREATE INDEX identity_attempts_group_id_at_idx ON tidings.identity_attempts USING btree (group_id, at);
CREATE INDEX identity_attempts_keys_idx ON tidings.identity_attempts USING gin (keys);
CREATE INDEX labeled_pairs_link_id_idx ON tidings.labeled_pairs USING btree (link_id);
CREATE INDEX labeled_pairs_person_id_idx ON tidings.labeled_pairs USING btree (person_id);
CREATE INDEX labeled_pairs_review_id_idx ON tidings.labeled_pairs USING btree (review_id);
CREATE INDEX management_statuses_event_id_id_idx ON tidings.management_statuses USING btree (event_id, id DESC);
CREATE INDEX management_statuses_user_id_changed_at_idx ON tidings.management_statuses USING btree (user_id, changed_at);
CREATE INDEX match_reviews_group_id_created_at_idx ON tidings.match_reviews USING btree (group_id, created_at) WHERE (decided_at IS NULL);
CREATE UNIQUE INDEX message_dismissals_in_force ON tidings.message_dismissals USING btree (message_id) WHERE (ended_at IS NULL);
CREATE INDEX message_dismissals_message_id_idx ON tidings.message_dismissals USING btree (message_id);
CREATE INDEX messages_archive_control_id_idx ON ONLY tidings.messages_archive USING btree (control_id);
CREATE INDEX messages_archive_feed_id_id_idx ON ONLY tidings.messages_archive USING btree (feed_id, id DESC);
CREATE INDEX messages_archive_status_id_idx ON ONLY tidings.messages_archive USING btree (status, id DESC) WHERE (status = ANY (ARRAY['QUARANTINED'::text, 'NOT_ACTED_ON'::text]));
CREATE INDEX messages_waiting_sender_id_idx ON tidings.messages_waiting USING btree (sender, id);
CREATE INDEX notification_matches_notification_id_idx ON tidings.notification_matches USING btree (notification_id) WHERE (notification_id IS NOT NULL);
CREATE INDEX notification_matches_ping_id_idx ON tidings.notification_matches USING btree (ping_id);
CREATE INDEX notification_matches_user_id_filter_id_idx ON tidings.notification_matches USING btree (user_id, filter_id) WHERE (notification_id IS NULL);
CREATE INDEX notification_matches_user_id_idx ON tidings.notification_matches USING btree (user_id) WHERE (to_correct_since IS NOT NULL);
CREATE INDEX notification_preferences_team_id_idx ON tidings.notification_preferences USING btree (team_id) WHERE ((by_email OR by_text) AND (NOT is_muted));
CREATE INDEX notification_preferences_user_id_idx ON tidings.notification_preferences USING btree (user_id);
CREATE INDEX notifications_corrects_idx ON tidings.notifications USING btree (corrects) WHERE (corrects IS NOT NULL);
CREATE INDEX notifications_filter_id_idx ON tidings.notifications USING btree (filter_id) WHERE (filter_id IS NOT NULL);
CREATE INDEX notifications_user_id_created_at_idx ON tidings.notifications USING btree (user_id, created_at);
CREATE INDEX outbox_backlog ON tidings.outbox USING btree (channel, created_at) WHERE (state = ANY (ARRAY['queued'::text, 'failed'::text]));
CREATE INDEX outbox_notification_id_idx ON tidings.outbox USING btree (notification_id) WHERE (notification_id IS NOT NULL);
CREATE INDEX outbox_of_recipient ON tidings.outbox USING btree (recipient, subject, created_at);
CREATE INDEX outbox_of_user ON tidings.outbox USING btree (user_id, id) WHERE (user_id IS NOT NULL);
CREATE INDEX outbox_sending ON tidings.outbox USING btree (id) WHERE (state = 'sending'::text);
CREATE INDEX page_uses_day ON tidings.page_uses USING btree (organization_id, day);
CREATE INDEX page_uses_last ON tidings.page_uses USING btree (user_id, last_at DESC);
CREATE INDEX passkeys_user_id_idx ON tidings.passkeys USING btree (user_id);
CREATE INDEX password_history_user_id_id_idx ON tidings.password_history USING btree (user_id, id DESC);
CREATE INDEX patient_tags_tag_id_idx ON tidings.patient_tags USING btree (tag_id);
CREATE INDEX person_links_subject_subject_id_id_idx ON tidings.person_links USING btree (subject, subject_id, id DESC);
CREATE INDEX person_links_subject_subject_id_idx ON tidings.person_links USING btree (subject, subject_id) WHERE (outcome = 'undone'::text);
CREATE INDEX pings_encounter_id_group_id_idx ON tidings.pings USING btree (encounter_id, group_id);
CREATE INDEX pings_inbox ON tidings.pings USING btree (group_id, management_status, event_at DESC, encounter_id) WHERE is_current;
CREATE INDEX pings_roster_patient_id_idx ON tidings.pings USING btree (roster_patient_id);
CREATE INDEX provider_group_access_team_id_idx ON tidings.provider_group_access USING btree (team_id);
CREATE INDEX provider_group_members_user_id_idx ON tidings.provider_group_members USING btree (user_id);
CREATE UNIQUE INDEX provider_groups_connection_id_lower_idx ON tidings.provider_groups USING btree (connection_id, lower(display_name));
CREATE UNIQUE INDEX rebuild_runs_under_way ON tidings.rebuild_runs USING btree ((true)) WHERE (finished_at IS NULL);
CREATE INDEX record_openings_person_id_group_id_idx ON tidings.record_openings USING btree (person_id, group_id);
CREATE INDEX record_openings_roster_patient_id_idx ON tidings.record_openings USING btree (roster_patient_id);
CREATE INDEX record_openings_upload_id_idx ON tidings.record_openings USING btree (upload_id) WHERE (upload_id IS NOT NULL);
CREATE INDEX right_uses_organization ON tidings.right_uses USING btree (organization_id);
CREATE UNIQUE INDEX roles_organization_id_name_idx ON tidings.roles USING btree (organization_id, name) NULLS NOT DISTINCT WHERE (ended_at IS NULL);
CREATE INDEX roster_patients_leaves_at_idx ON tidings.roster_patients USING btree (leaves_at) WHERE ((left_at IS NULL) AND (leaves_at IS NOT NULL));
CREATE INDEX roster_patients_person_id_group_id_idx ON tidings.roster_patients USING btree (person_id, group_id);
CREATE INDEX roster_patients_sounds ON tidings.roster_patients USING btree (group_id, sound_last) WHERE (left_at IS NULL);
CREATE INDEX roster_upload_before_listing_id_idx ON tidings.roster_upload_before USING btree (listing_id);
CREATE INDEX roster_upload_rows_upload_id_member_id_idx ON tidings.roster_upload_rows USING btree (upload_id, member_id);
CREATE INDEX roster_uploads_group_id_id_idx ON tidings.roster_uploads USING btree (group_id, id DESC);
CREATE UNIQUE INDEX roster_uploads_running ON tidings.roster_uploads USING btree (group_id) WHERE (status = ANY (ARRAY['RECEIVING'::text, 'RECEIVED'::text, 'VALIDATING'::text, 'AWAITING_CONFIRMATION'::text, 'APPLYING'::text]));
CREATE UNIQUE INDEX roster_uploads_undoes ON tidings.roster_uploads USING btree (undoes) WHERE ((undoes IS NOT NULL) AND (status = ANY (ARRAY['APPLYING'::text, 'DONE'::text])));
CREATE UNIQUE INDEX saved_filters_name ON tidings.saved_filters USING btree (user_id, team_id, lower(name));
CREATE INDEX saved_filters_shared ON tidings.saved_filters USING btree (team_id) WHERE (shared_at IS NOT NULL);
CREATE INDEX scim_tokens_connection_id_idx ON tidings.scim_tokens USING btree (connection_id);
CREATE INDEX search_preferences_filter_id_idx ON tidings.search_preferences USING btree (filter_id);
CREATE INDEX sessions_user_id_idx ON tidings.sessions USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX source_patients_apart_from_idx ON tidings.source_patients USING btree (apart_from) WHERE (apart_from IS NOT NULL);
CREATE INDEX source_patients_dossier_id_idx ON tidings.source_patients USING btree (dossier_id);
CREATE INDEX source_patients_merge_held_idx ON tidings.source_patients USING btree (merge_held) WHERE (merge_held IS NOT NULL);
CREATE INDEX source_patients_person_id_idx ON tidings.source_patients USING btree (person_id);
CREATE INDEX stay_views_encounter_id_idx ON tidings.stay_views USING btree (encounter_id);
CREATE INDEX stay_work_changes_stay_work_id_id_idx ON tidings.stay_work_changes USING btree (stay_work_id, id);
CREATE INDEX stay_work_changes_user_id_changed_at_idx ON tidings.stay_work_changes USING btree (user_id, changed_at);
CREATE INDEX stay_work_encounter_id_idx ON tidings.stay_work USING btree (encounter_id);
CREATE INDEX stay_work_team_id_owner_id_idx ON tidings.stay_work USING btree (team_id, owner_id) WHERE (owner_id IS NOT NULL);
CREATE UNIQUE INDEX tags_name ON tidings.tags USING btree (team_id, lower(name));
CREATE INDEX team_groups_group_id_idx ON tidings.team_groups USING btree (group_id);
CREATE UNIQUE INDEX teams_organization_id_name_idx ON tidings.teams USING btree (organization_id, name) WHERE (ended_at IS NULL);
CREATE INDEX three_day_waivers_encounter_id_id_idx ON tidings.three_day_waivers USING btree (encounter_id, id);
CREATE INDEX usage_events_name_at_idx ON ONLY tidings.usage_events USING btree (name, at DESC);
CREATE INDEX usage_events_user_id_at_idx ON ONLY tidings.usage_events USING btree (user_id, at DESC);
CREATE UNIQUE INDEX users_sso_subject ON tidings.users USING btree (sso_connection_id, sso_subject) WHERE (sso_subject IS NOT NULL);

CREATE OR REPLACE FUNCTION tidings.acting_team()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ select nullif(current_setting('tidings.team_id', true), '')::bigint $function$;

CREATE OR REPLACE FUNCTION tidings.acting_user()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ select nullif(current_setting('tidings.user_id', true), '')::bigint $function$;

CREATE OR REPLACE FUNCTION tidings.acts_for(purpose text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select current_setting('tidings.purpose', true) is not distinct from purpose $function$;

CREATE OR REPLACE FUNCTION tidings.administers(organization_id bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('tidings.administers', true) in ('everything', organization_id::text), false) $function$;

CREATE OR REPLACE FUNCTION tidings.administers_everything()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select current_setting('tidings.administers', true) is not distinct from 'everything' $function$;

CREATE OR REPLACE FUNCTION tidings.administers_organization_of(given_user bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from users a join users u on u.id = given_user and (a.is_operator or a.organization_id = u.organization_id)
      join grants n on n.user_id = a.id join roles r on r.id = n.role_id
    where a.id = acting_user() and a.disabled_at is null
      and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed)) $function$;

CREATE OR REPLACE FUNCTION tidings.administers_team()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from grants n join roles r on r.id = n.role_id
    where n.user_id = acting_user() and n.team_id = acting_team()
      and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed)) $function$;

CREATE OR REPLACE FUNCTION tidings.analyze_grown_tables()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
 SET default_statistics_target TO '10'
AS $function$
declare
  grown name;
begin
  for grown in
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'tidings' and s.n_mod_since_analyze > greatest(500, c.reltuples)
      and s.relname in ('source_patients', 'facts', 'encounters', 'events', 'pings', 'management_statuses', 'person_links', 'persons', 'blocking_keys',
        'blocking_entries', 'shared_stays', 'roster_patients', 'record_openings')
  loop
    execute format('analyze %I', grown);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION tidings.analyze_identities()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  analyze blocking_keys, blocking_entries, persons;
end $function$;

CREATE OR REPLACE FUNCTION tidings.analyze_listings()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  analyze roster_patients (id, group_id, member_id, person_id, left_at, leaves_at, content_hash, sort_last, sound_last, date_of_birth);
end $function$;

CREATE OR REPLACE FUNCTION tidings.asked_persons()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
AS $function$ select nullif(current_setting('tidings.person_ids', true), '')::bigint[] $function$;

CREATE OR REPLACE FUNCTION tidings.audit_key()
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$ select key from audit_keys $function$;

CREATE OR REPLACE FUNCTION tidings.audit_key_hash()
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$ select sha256(key) from audit_keys $function$;

CREATE OR REPLACE FUNCTION tidings.care_listings(person bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select r.id from roster_patients r
  where r.person_id = person and exists (
    select from roster_patients mine where mine.person_id = person and mine.group_id = any (current_groups())) $function$;

CREATE OR REPLACE FUNCTION tidings.close_filter_gap()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  if old.user_id is distinct from acting_user() then
    update saved_filters f set order_num = f.order_num - 1
    where f.user_id = old.user_id and f.team_id = old.team_id and f.order_num > old.order_num;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.colleagues_using_shared_filters()
 RETURNS TABLE(filter_id bigint, colleagues integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select f.id, count(distinct n.user_id)::int
  from saved_filters f
    cross join lateral (
      select f.user_id
      union select u.user_id from shared_filter_uses u where u.filter_id = f.id
      union select p.user_id from search_preferences p where p.filter_id = f.id
      union select p.user_id from notification_preferences p where p.filter_id = f.id and (p.by_email or p.by_text)) used
    join users u on u.id = used.user_id and u.disabled_at is null and u.id <> acting_user()
    join grants n on n.user_id = u.id and n.team_id = f.team_id
  where f.shared_at is not null and f.team_id = acting_team() and acting_user() is not null
  group by f.id $function$;

CREATE OR REPLACE FUNCTION tidings.create_user_at_sign_in(connection bigint, subject text, address text, first_name text, last_name text, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
declare
  c sso_connections;
  made bigint;
begin
  select * into c from sso_connections s
  where s.id = connection and s.is_enabled and s.new_user_team_id is not null and s.new_user_role_id is not null
    and exists (
      select from email_domains d
      where d.organization_id = s.organization_id and d.domain = any (s.domains) and d.verified_at is not null
        and d.domain = substring(address from '[^@]*$'))
    and exists (
      select from roles r
      where r.id = s.new_user_role_id and r.ended_at is null and not 'canManageUsers' = any (r.permissions))
    and exists (select from team_groups tg where tg.team_id = s.new_user_team_id);
  if c.id is null then
    return null;
  end if;
  insert into users (organization_id, username, first_name, last_name, application_experience, sso_connection_id, sso_subject,
    created_at, activated_at)
  values (c.organization_id, address, create_user_at_sign_in.first_name, create_user_at_sign_in.last_name, c.application_experience,
    c.id, subject, at, at)
  on conflict (username) do nothing returning id into made;
  if made is not null then
    insert into grants (user_id, team_id, group_id, role_id)
    select made, tg.team_id, tg.group_id, c.new_user_role_id from team_groups tg where tg.team_id = c.new_user_team_id and tg.gives_access;
  end if;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION tidings.current_candidates(subject_kind text, subject bigint, candidates jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  with own as (
    select s.person_id from source_patients s where subject_kind = 'SOURCE_PATIENT' and s.id = subject
    union all
    select r.person_id from roster_patients r where subject_kind = 'ROSTER_PATIENT' and r.id = subject and r.left_at is null)
  select coalesce(jsonb_agg(c order by position), '[]')
  from own, jsonb_array_elements(candidates) with ordinality as l (c, position)
  where ((c ->> 'personId')::bigint <> own.person_id or c -> 'evidence' ->> 'ruleId' = 'R22')
    and coalesce(
      (select true from source_patients s where s.person_id = (c ->> 'personId')::bigint limit 1),
      (select true from roster_patients r where r.person_id = (c ->> 'personId')::bigint and r.left_at is null limit 1),
      false);
$function$;

CREATE OR REPLACE FUNCTION tidings.current_emergencies()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
AS $function$ select nullif(current_setting('tidings.emergencies', true), '')::bigint[] $function$;

CREATE OR REPLACE FUNCTION tidings.current_groups()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
AS $function$ select coalesce(nullif(current_setting('tidings.group_ids', true), ''), '{}')::bigint[] $function$;

CREATE OR REPLACE FUNCTION tidings.death_of_held(held bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  with shown as materialized (select id, person_id, source_patient_id, state from visits_of_held(held)),
    deaths as materialized (
      select min(v.event_day) as event_day, bool_and(coalesce(s.state ->> 'deathDenied' = 'true', false)) as is_denied
      from shown s join events v on v.encounter_id = s.id and v.code = 'DECEASED' and v.state <> 'CANCELLED'),
    dead as materialized (
      select p.deceased_on from source_patients p where p.deceased and exists (
        select from shown s where s.source_patient_id = p.id and s.person_id = p.person_id))
  select jsonb_build_object(
    'listingIds', (select coalesce(jsonb_agg(l.id::text order by l.id), '[]') from listings_of_held(held) l),
    'deceased', exists (select from dead),
    'deceasedDate', (select coalesce((select max(d.deceased_on) from dead d), deaths.event_day) from deaths where exists (select from dead)),
    'isDeathInDoubt', (select coalesce(deaths.is_denied, false) from deaths)) $function$;

CREATE OR REPLACE FUNCTION tidings.document_message_outcome(message bigint, feed bigint)
 RETURNS TABLE(status text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select m.status, m.reason from messages m
  where m.id = message and (m.feed_id = feed or m.feed_id is null and m.source = 'CCDA'
    and m.sending_application = (select f.sending_application from feeds f where f.id = feed and f.kind = 'CCDA')) $function$;

CREATE OR REPLACE FUNCTION tidings.drop_partitions(parent text, before date)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
declare
  child text;
  is_needed boolean := false;
begin
  if parent not in ('messages', 'audit_entries') then raise exception '% has no months to drop', parent; end if;
  if parent = 'audit_entries' and before > current_date - interval '6 years' then
    raise exception 'audit entries are kept for six years';
  end if;
  for child in
    with months as materialized (
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = (case parent when 'messages' then 'messages_archive' else 'audit_entries' end)::regclass
    )
    select relname from months where to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= before order by relname
  loop
    if parent = 'messages' then
      execute format('select exists (select from %I where status = ''QUARANTINED'')', child) into is_needed;
    end if;
    if not is_needed then
      execute format('drop table %I', child);
      return next child;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION tidings.emergencies_at(facilities bigint[])
 RETURNS TABLE(id bigint, at timestamp with time zone, organization text, facility_ids bigint[], listing bigint, reason text, is_medical boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select x.id, x.began_at, o.name, array(select unnest(x.facility_group_ids) intersect select unnest(facilities) order by 1),
    (select min(own.id) from roster_patients own where own.person_id = r.person_id and own.group_id = any (facilities)),
    x.reason, x.is_medical_emergency
  from emergency_accesses x join roster_patients r on r.id = x.roster_patient_id
    join teams t on t.id = x.team_id join organizations o on o.id = t.organization_id
  where x.facility_group_ids && facilities
  order by x.began_at desc, x.id desc limit 200 $function$;

CREATE OR REPLACE FUNCTION tidings.enqueue_job(task text, payload json DEFAULT NULL::json, queue text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, job_key_mode text DEFAULT 'replace'::text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    select id from graphile_worker.add_job(
      identifier => task, payload => payload, queue_name => queue, run_at => run_at, max_attempts => max_attempts,
      job_key => job_key, priority => priority, job_key_mode => job_key_mode
    );
  $function$;

CREATE OR REPLACE FUNCTION tidings.ensure_partitions(from_day date, to_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
declare
  parent text;
  month date;
begin
  foreach parent in array array['messages', 'audit_entries', 'usage_events'] loop
    for month in select generate_series(date_trunc('month', from_day::timestamp), to_day::timestamp, interval '1 month')::date loop
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYY_MM'), case parent when 'messages' then 'messages_archive' else parent end,
        month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION tidings.evidence_of_visit(visit bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select l.evidence
  from encounters e
    join groups g on g.id = e.group_id
    cross join lateral (
      select p.* from person_links p where p.subject = 'SOURCE_PATIENT' and p.subject_id = e.source_patient_id order by p.id desc limit 1) l
  where e.id = visit and (e.group_id = any (managed_groups()) or administers_everything()) and g.is_automated
    and not exists (select from facts f where f.source_patient_id = e.source_patient_id and f.adt ? 'enteredBy') $function$;

CREATE OR REPLACE FUNCTION tidings.feed_health(feed_id bigint, since timestamp with time zone, OUT quarantined integer, OUT duplicates integer, OUT duplicate_at timestamp with time zone)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select (select count(*)::int from messages m where m.feed_id = f.id and m.status = 'QUARANTINED'), d.count::int, d.last_at
  from feeds f cross join lateral (
    select count(*), max(m.received_at) as last_at from messages m
    where m.feed_id = f.id and m.status = 'DUPLICATE' and m.received_at >= since) d
  where f.id = feed_health.feed_id and administers(f.organization_id) $function$;

CREATE OR REPLACE FUNCTION tidings.forget_unshared()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  delete from search_preferences p where p.filter_id = new.id and p.user_id <> new.user_id;
  delete from notification_preferences p where p.filter_id = new.id and p.user_id <> new.user_id;
  delete from notification_matches m where m.filter_id = new.id and m.user_id <> new.user_id and m.notification_id is null;
  delete from shared_filter_uses u where u.filter_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.has_opted_out(user_id bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from users u join text_opt_outs o on o.phone = u.notification_phone
    where u.id = has_opted_out.user_id and u.id = acting_user()) $function$;

CREATE OR REPLACE FUNCTION tidings.heard_by_another_feed(given_feed bigint, given_group bigint, after timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from feeds f join feed_facilities l on l.feed_id = f.id
    where l.group_id = given_group and f.id <> given_feed and f.kind <> 'CCDA' and f.approved_at is not null and not f.is_backfill
      and case when exists (select from feed_facilities o where o.feed_id = f.id and o.group_id <> given_group)
        then exists (select from facility_hours h where h.feed_id = f.id and h.group_id = given_group and h.last_at > after)
        else exists (select from feed_counts c where c.feed_id = f.id and c.last_at > after) end) $function$;

CREATE OR REPLACE FUNCTION tidings.kind_of_connection(connection_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select c.kind from sso_connections c where c.id = connection_id $function$;

CREATE OR REPLACE FUNCTION tidings.link_of_visit(visit bigint, listing bigint)
 RETURNS TABLE(is_listing boolean, outcome text, created_at timestamp with time zone, decided_by text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select l.subject = 'ROSTER_PATIENT', l.outcome, l.created_at,
    (select u.first_name || ' ' || u.last_name from users u, users me
      where u.id = l.decided_by and me.id = acting_user() and u.organization_id = me.organization_id)
  from encounters e
    join roster_patients r on r.id = listing and r.group_id = any (current_groups())
    join pings p on p.encounter_id = e.id and p.roster_patient_id = r.id
    -- Of the two links only the newer one: the other was made with someone else's record, and would show that there is one.
    cross join lateral (
      select * from (
        (select * from person_links where subject = 'SOURCE_PATIENT' and subject_id = e.source_patient_id order by id desc limit 1)
        union all
        (select * from person_links where subject = 'ROSTER_PATIENT' and subject_id = r.id order by id desc limit 1)) newest
      order by newest.id desc limit 1) l
  where e.id = visit
  limit 1 $function$;

CREATE OR REPLACE FUNCTION tidings.links_of(person bigint)
 RETURNS TABLE(group_id bigint, group_name text, outcome text, evidence jsonb, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select g.id, g.name, l.outcome, l.evidence, l.created_at
  from source_patients s
    join groups g on g.id = s.group_id
    cross join lateral (
      select p.* from person_links p where p.subject = 'SOURCE_PATIENT' and p.subject_id = s.id order by p.id desc limit 1) l
  where s.person_id = person and s.group_id = any (managed_groups()) and g.is_automated and l.person_id = person
    and not exists (select from facts f where f.source_patient_id = s.id and f.adt ? 'enteredBy')
  order by s.id $function$;

CREATE OR REPLACE FUNCTION tidings.listings_of_held(held bigint)
 RETURNS SETOF roster_patients
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select r.*
  from held_patients h join roster_patients r on r.person_id = h.person_id and r.left_at is null
    join groups g on g.id = r.group_id and g.type = 'PROGRAM' and not g.is_part2_facility
  where h.id = held and h.admitted_at is null and h.group_id = any (current_groups()) $function$;

CREATE OR REPLACE FUNCTION tidings.log_consents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'person', 'disclosure', c.recipient_group_id, c.person_id, now() from new_rows c;
  if tg_op = 'UPDATE' then
    insert into change_log (kind, change, group_id, subject_id, changed_at)
    select distinct 'person', 'disclosure', c.recipient_group_id, c.person_id, now() from old_rows c;
  end if;
  perform pg_notify('tidings_changes', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' then
    perform log_persons(array_agg(person_id), array_agg(group_id)) from (
      select person_id, group_id from new_rows union all select person_id, group_id from old_rows) as changed
    where person_id is not null;
  else
    perform log_persons(array_agg(person_id), array_agg(group_id)) from old_rows where person_id is not null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_facilities()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select 'group', case when n.is_part2_facility <> o.is_part2_facility then 'disclosure' else 'facility' end, n.id, now()
  from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.state, n.type, n.facility_type, n.time_zone, n.is_part2_facility)
    is distinct from (o.name, o.state, o.type, o.facility_type, o.time_zone, o.is_part2_facility);
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_feed_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, changed_at) values ('feed', 'state', now());
  perform pg_notify('tidings_changes', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_hl7_program()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select distinct 'group', 'bulk', t.group_id, now() from team_groups t join teams on teams.id = t.team_id
  where teams.organization_id = new.organization_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_holidays()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select 'group', 'bulk', g.id, now() from groups g
  where g.organization_id = new.id
    and (new.added_holidays, new.removed_holidays) is distinct from (old.added_holidays, old.removed_holidays);
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_patient_viewers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'viewers', 'changed', r.group_id, c.person_id, now()
  from changed c join team_groups t on t.team_id = c.team_id
    join roster_patients r on r.group_id = t.group_id and r.person_id = c.person_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_persons(person_ids bigint[], facility_ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_rising_risk_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select distinct 'group', 'bulk', t.group_id, now() from team_groups t join teams on teams.id = t.team_id
  where teams.organization_id = new.id and new.rising_risk_rule is distinct from old.rising_risk_rule;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_rows_of_encounters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform log_persons(array_agg(e.person_id), array_agg(e.group_id)) from new_rows join encounters e on e.id = encounter_id;
  else
    perform log_persons(array_agg(e.person_id), array_agg(e.group_id))
    from (select encounter_id from new_rows union select encounter_id from old_rows) as event
      join encounters e on e.id = event.encounter_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_rows_of_listings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  perform log_persons(array_agg(r.person_id), array_agg(e.group_id))
  from new_rows join roster_patients r on r.id = roster_patient_id join encounters e on e.id = encounter_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_rows_of_own_listings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    perform log_persons(array_agg(r.person_id), array_agg(r.group_id))
    from old_rows join roster_patients r on r.id = roster_patient_id;
  else
    perform log_persons(array_agg(r.person_id), array_agg(r.group_id))
    from new_rows join roster_patients r on r.id = roster_patient_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_rows_of_persons()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform log_persons(array_agg(person_id), array_agg(group_id)) from new_rows;
  else
    perform log_persons(array_agg(person_id), array_agg(group_id)) from (
      select person_id, group_id from new_rows union all select person_id, group_id from old_rows) as changed;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.log_stay_work()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  perform log_persons(array_agg(rows.person_id), array_agg(rows.group_id))
  from (
    select e.person_id, e.group_id from new_rows w join encounters e on e.id = w.encounter_id
    union
    select r.person_id, e.group_id
    from new_rows w join encounters e on e.id = w.encounter_id join pings p on p.encounter_id = w.encounter_id
      join roster_patients r on r.id = p.roster_patient_id) rows;
  insert into change_log (kind, change, group_id, subject_id, changed_at)
  select distinct 'work', 'changed', p.group_id, w.id, now()
  from new_rows w join pings p on p.encounter_id = w.encounter_id
    join team_groups t on t.team_id = w.team_id and t.group_id = p.group_id;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.look_up_held(held bigint, since timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  with listed as materialized (select * from listings_of_held(held))
  select death_of_held(held) || jsonb_build_object(
    'programs', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('organization', o.name, 'program', p.name)), '[]')
      from listed l join groups g on g.id = l.group_id join organizations o on o.id = g.organization_id
        cross join unnest(case when l.programs = '{}' then array[g.name] else l.programs end) as p (name)),
    'instructions', (
      select coalesce(jsonb_agg(jsonb_build_object('organization', o.name, 'instruction', i.instruction) order by o.name, i.instruction_order, i.id), '[]')
      from listed l join care_instructions i on i.roster_patient_id = l.id and i.kind = 'ADMIT' and i.ended_at is null
        join groups g on g.id = i.group_id join organizations o on o.id = g.organization_id),
    'careTeam', (
      select coalesce(jsonb_agg(jsonb_build_object('organization', o.name, 'name', c.name, 'title', c.title, 'phone', c.phone) order by o.name, c.name), '[]')
      from listed l join groups g on g.id = l.group_id join organizations o on o.id = g.organization_id
        cross join lateral (
          select t.contact_name as name, t.contact_job_title as title, t.contact_phone as phone
          from care_team_records t where t.roster_patient_id = l.id and t.ended_at is null
          union
          select coordinator.name, 'Care coordinator', null from unnest(l.care_coordinators) as coordinator (name)) c),
    'visits', (
      select coalesce(jsonb_agg(jsonb_build_object('facility', g.name, 'isPart2Facility', g.is_part2_facility, 'setting', s.setting,
        'admittedDate', s.admitted_at, 'dischargedDate', s.discharged_at, 'isOpen', s.status in ('IN_PROGRESS', 'ON_LEAVE'))
        order by s.admitted_at desc nulls last, s.id desc), '[]')
      from visits_of_held(held) s join groups g on g.id = s.group_id where s.status <> 'FINISHED' or coalesce(s.discharged_at, s.admitted_at) >= since)) $function$;

CREATE OR REPLACE FUNCTION tidings.managed_feeds()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select coalesce(array_agg(f.id), '{}') from feeds f
  where administers(f.organization_id)
    and not exists (select from feed_facilities ff where ff.feed_id = f.id and ff.group_id <> all (managed_groups())) $function$;

CREATE OR REPLACE FUNCTION tidings.managed_groups()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct n.group_id), '{}')
  from grants n join roles r on r.id = n.role_id
  where n.user_id = acting_user() and current_setting('tidings.administers', true) <> ''
    and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed) $function$;

CREATE OR REPLACE FUNCTION tidings.messages_of_event(event bigint)
 RETURNS TABLE(message_id bigint, received_at timestamp with time zone, is_named boolean, trigger text, control_id text, sent_at text, content_hash text, outcome text, entered_by text, is_entered boolean, is_stored boolean, said jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select f.message_id, f.received_at, ev.detail -> 'factIds' ? f.id::text, case when shown.all then f.adt ->> 'trigger' end,
    f.adt ->> 'controlId', f.adt #>> '{sentAt,instant}', f.adt ->> 'contentHash', case when shown.all then f.outcome end,
    (select u.first_name || ' ' || u.last_name from users u, users me
      where u.id = (f.adt #>> '{enteredBy,userId}')::bigint and me.id = acting_user() and u.organization_id = me.organization_id),
    f.adt ? 'enteredBy',
    exists (select from messages m where m.id = f.message_id and m.received_at = f.received_at and m.raw is not null),
    case when shown.all then nullif(f.adt -> 'visit', 'null') - array['payers', 'visitNumber', 'accountNumber', 'alternateVisitId'] end
  from events ev
    join encounters e on e.id = ev.encounter_id
    join facts f on f.encounter_id = e.id
      or f.id in (select named::bigint from jsonb_array_elements_text(ev.detail -> 'factIds') as named)
    join source_patients s on s.id = f.source_patient_id
    join groups sender on sender.id = s.group_id
    -- On a feed that a 42 CFR Part 2 facility uses too, the kind of message could show that the patient came from there or went there. What is left
    -- out depends on the feed, so that it says nothing about a patient.
    cross join lateral (
      select (s.group_id = e.group_id or not sender.is_part2_facility) and not exists (
        select from feed_facilities ff join groups g on g.id = ff.group_id
        where ff.feed_id = f.shared_feed_id and g.is_part2_facility and g.id <> e.group_id) as all) shown
  where ev.id = event and exists (
    select from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = ev.id and p.group_id = any (current_groups()) and r.person_id = e.person_id)
  order by f.received_at, f.id $function$;

CREATE OR REPLACE FUNCTION tidings.move_consents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  update consents set person_id = new.person_id where roster_patient_id = new.id and person_id <> new.person_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tidings.name_of_user(user_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select u.first_name || ' ' || u.last_name from users u where u.id = user_id $function$;

CREATE OR REPLACE FUNCTION tidings.note_text_reply(phone text, is_stop boolean, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  delete from text_opt_outs o where o.phone = note_text_reply.phone and not is_stop;
  insert into text_opt_outs (phone, opted_out_at) select note_text_reply.phone, at where is_stop on conflict do nothing $function$;

CREATE OR REPLACE FUNCTION tidings.notices_of_event(event bigint, person bigint)
 RETURNS TABLE(name text, channel text, topic text, state text, at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select distinct name_of_user(n.user_id), o.channel, o.topic, o.state, coalesce(o.sent_at, o.created_at)
  from pings p
    join roster_patients r on r.id = p.roster_patient_id
    join notification_matches m on m.ping_id = p.id
    join notifications n on n.id = m.notification_id or (n.corrects = m.notification_id and m.told_state <> 'ACTIVE')
    join outbox o on o.notification_id = n.id
  where p.event_id = event and r.person_id = person and p.group_id = any (current_groups())
    and m.team_id = acting_team() and n.team_id = acting_team()
  order by 5, 1, 2 $function$;

CREATE OR REPLACE FUNCTION tidings.organization_of_entry(actor bigint, action text, subject text, subject_id bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select coalesce(
    -- What was refused may belong to someone else.
    case when action <> 'access.refused' then
      case subject
        when 'user' then (select u.organization_id from users u where u.id = subject_id)
        when 'organization' then (select o.id from organizations o where o.id = subject_id)
        when 'team' then (select t.organization_id from teams t where t.id = subject_id)
        when 'group' then (select g.organization_id from groups g where g.id = subject_id)
        when 'role' then (select r.organization_id from roles r where r.id = subject_id)
        when 'hl7-program' then (select p.organization_id from hl7_programs p where p.id = subject_id)
        when 'feed' then (select f.organization_id from feeds f where f.id = subject_id)
        when 'sso-connection' then (select c.organization_id from sso_connections c where c.id = subject_id)
        when 'access-request' then
          (select g.organization_id from access_requests q join groups g on g.id = q.group_id where q.id = subject_id)
      end
    end,
    (select u.organization_id from users u where u.id = actor)) $function$;

CREATE OR REPLACE FUNCTION tidings.organization_signs_in(organization_id bigint, experience text, username text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from sso_connections c
    where c.organization_id = organization_signs_in.organization_id and (c.application_experience = experience or (
      c.is_enabled and c.kind in ('OIDC', 'SAML') and exists (
        select from email_domains d
        where d.organization_id = c.organization_id and d.domain = any (c.domains) and d.verified_at is not null
          and d.domain = substring(organization_signs_in.username from '[^@]*$'))))) $function$;

CREATE OR REPLACE FUNCTION tidings.organizations_of_held(held bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct o.name order by o.name), '{}')
  from listings_of_held(held) r join groups g on g.id = r.group_id join organizations o on o.id = g.organization_id $function$;

CREATE OR REPLACE FUNCTION tidings.owners_of_shared_filters()
 RETURNS TABLE(filter_id bigint, name text, is_on_team boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select f.id, u.first_name || ' ' || u.last_name,
    u.disabled_at is null and exists (select from grants n where n.user_id = u.id and n.team_id = f.team_id)
  from saved_filters f join users u on u.id = f.user_id
  where f.shared_at is not null and f.team_id = acting_team() and acting_user() is not null $function$;

CREATE OR REPLACE FUNCTION tidings.owners_of_shared_spotlights()
 RETURNS TABLE(spotlight_id bigint, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select s.id, u.first_name || ' ' || u.last_name from custom_spotlights s join users u on u.id = s.user_id
  where s.shared_at is not null and s.team_id = acting_team() and acting_user() is not null $function$;

CREATE OR REPLACE FUNCTION tidings.pass_on_stays(given_user bigint, given_team bigint, new_owner jsonb, by_name text, at timestamp with time zone)
 RETURNS bigint[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
declare
  passed bigint[];
begin
  if not administers_organization_of(given_user) then
    raise exception 'not an administrator of this user' using errcode = 'insufficient_privilege';
  end if;
  perform from stay_work w where w.owner_id = given_user and w.team_id = given_team order by w.id for update;
  with written as (
    insert into stay_work_changes (stay_work_id, kind, before, after, user_id, display_name, changed_at)
    select w.id, case when new_owner is null then 'ASSIGN' else 'HAND_OVER' end,
      jsonb_build_object('owner', w.owner, 'wait', w.wait), jsonb_build_object('owner', new_owner, 'wait', w.wait), acting_user(), by_name, at
    from stay_work w where w.owner_id = given_user and w.team_id = given_team
    returning id, stay_work_id),
  updated as (
    update stay_work w set owner_id = (new_owner ->> 'id')::bigint, owner = new_owner, change_id = c.id
    from written c where w.id = c.stay_work_id
    returning w.encounter_id)
  select coalesce(array_agg(u.encounter_id order by u.encounter_id), '{}') into passed from updated u;
  return passed;
end $function$;

CREATE OR REPLACE FUNCTION tidings.patient_accesses(listing bigint, organization bigint, page_size integer, page_offset integer)
 RETURNS TABLE(id bigint, at timestamp with time zone, user_id bigint, team_id bigint, group_id bigint, action text, is_subject boolean, address text, detail jsonb, total bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION tidings.patients_of_message(message bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select r.id from facts f
    join source_patients s on s.id = f.source_patient_id
    join roster_patients r on r.person_id = s.person_id
  where f.message_id = message
$function$;

CREATE OR REPLACE FUNCTION tidings.phones_of(person bigint)
 RETURNS TABLE(group_id bigint, group_name text, group_type text, organization_id bigint, phone text, kind text, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select g.id, g.name, g.type, g.organization_id, listed.phone, listed.kind, coalesce(u.applied_at, r.listed_at)
  from roster_patients r
    join groups g on g.id = r.group_id
    left join roster_uploads u on u.id = r.upload_id
    cross join lateral (values (r.home_phone, 'HOME'), (r.mobile_phone, 'MOBILE')) as listed (phone, kind)
  where r.person_id = person and r.left_at is null and listed.phone is not null
    and (r.group_id = any (current_groups()) or shares_care(r.id))
  order by r.id, listed.kind $function$;

CREATE OR REPLACE FUNCTION tidings.post_letter(channel text, recipient text, subject text, body text, created_at timestamp with time zone, task text, max_attempts integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  with letter as (
    insert into outbox (channel, recipient, subject, body, created_at)
    values (channel, recipient, subject, body, created_at) returning id)
  select enqueue_job(task => task, payload => json_build_object('letterId', id::text), job_key => 'letter:' || id,
    max_attempts => max_attempts)
  from letter $function$;

CREATE OR REPLACE FUNCTION tidings.programs_of(person bigint)
 RETURNS TABLE(organization text, program text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select distinct o.name, listed.program
  from roster_patients r
    join groups g on g.id = r.group_id
    join organizations o on o.id = g.organization_id
    cross join unnest(r.programs) as listed (program)
  where r.person_id = person and r.left_at is null and (r.group_id = any (current_groups()) or shares_care(r.id))
  order by 1, 2 $function$;

CREATE OR REPLACE FUNCTION tidings.readers_elsewhere(listing bigint, organization bigint)
 RETURNS TABLE(name text, reads bigint, emergencies bigint, first_at timestamp with time zone, last_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  with listings as materialized (
    select array_agg(r.id) as ids from roster_patients r
    where r.person_id = (select l.person_id from roster_patients l where l.id = listing)
  )
  select o.name, count(*), count(*) filter (where e.action = 'emergency.open'), min(e.at), max(e.at)
  from listings join audit_entries e on e.patient_ids && listings.ids
    join teams t on t.id = e.team_id join organizations o on o.id = t.organization_id
  where t.organization_id <> organization
    and e.action not in ('access.refused', 'record.open', 'patient.accesses', 'patient.accesses-export')
    and e.action not like 'message.%' and e.action not like 'match-review.%' and e.action not like 'consent.%'
    -- That someone at a 42 CFR Part 2 facility reads the record says that the patient is treated there.
    and not exists (
      select from team_groups tg join groups g on g.id = tg.group_id where tg.team_id = t.id and g.is_part2_facility)
  group by o.id order by max(e.at) desc, o.id $function$;

CREATE OR REPLACE FUNCTION tidings.readers_of_visit(visit bigint, since timestamp with time zone)
 RETURNS TABLE(name text, first_at timestamp with time zone, last_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select name_of_user(a.user_id), min(a.at), max(a.at)
  from encounters e
    cross join lateral (
      select array_agg(listing.id) as ids from (
        select r.id from roster_patients r where r.person_id = e.person_id and r.group_id = any (current_groups())
        union
        select p.roster_patient_id from pings p where p.encounter_id = e.id and p.group_id = any (current_groups())) listing) own
    join audit_entries a on a.patient_ids && own.ids
  where e.id = visit and a.at >= since and a.team_id = acting_team() and a.action in ('patient.view', 'ping.seen', 'ping.explain')
    and split_part(a.detail #>> '{asked,id}', '_', 2) = e.id::text and not a.detail ? 'isBackground'
  group by a.user_id
  order by 2 $function$;

CREATE OR REPLACE FUNCTION tidings.reads_usage(organization_id bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('tidings.reads_usage', true) in ('everything', organization_id::text), false) $function$;

CREATE OR REPLACE FUNCTION tidings.record_part2_lifted(facility bigint, lifted_by bigint, lifted_at timestamp with time zone)
 RETURNS SETOF record_openings
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
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
  returning * $function$;

CREATE OR REPLACE FUNCTION tidings.rename_user_of_connection(connection bigint, renamed bigint, address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  update users u set username = address from sso_connections c
  where u.id = renamed and c.id = connection and c.organization_id = u.organization_id and administers(c.organization_id)
    and not u.is_operator
    and exists (
      select from email_domains d
      where d.organization_id = c.organization_id and d.domain = any (c.domains) and d.verified_at is not null
        and d.domain = substring(address from '[^@]*$')) $function$;

CREATE OR REPLACE FUNCTION tidings.set_organization_of_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
begin
  new.organization_id := organization_of_entry(new.user_id, new.action, new.subject, new.subject_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tidings.shares_care(listing bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (
    select from roster_patients own
      join groups g on g.id = own.group_id and not g.is_part2_facility
      join roster_patients mine on mine.person_id = own.person_id and mine.group_id = any (current_groups())
    where own.id = listing and (mine.left_at is null or exists (
      select from encounters e
      where e.person_id = mine.person_id and e.group_id = mine.group_id and e.status in ('IN_PROGRESS', 'ON_LEAVE')))) $function$;

CREATE OR REPLACE FUNCTION tidings.stays_taken_by(given_users bigint[])
 RETURNS TABLE(team_id bigint, stays integer, open integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select w.team_id, count(*)::int, count(*) filter (where exists (
      select from pings p join team_groups t on t.group_id = p.group_id
      where p.encounter_id = w.encounter_id and t.team_id = w.team_id and p.management_status in ('NEW', 'IN_PROGRESS')))::int
  from stay_work w
  where w.owner_id = any (given_users)
    and w.owner_id in (select u from unnest(given_users) u where administers_organization_of(u))
  group by w.team_id $function$;

CREATE OR REPLACE FUNCTION tidings.team_colleagues()
 RETURNS TABLE(id bigint, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select of_team.id, of_team.name || case when count(*) over (partition by of_team.name) > 1 then ' (' || of_team.username || ')' else '' end
  from (
    select u.id, u.first_name || ' ' || u.last_name as name, u.username
    from users u
    where u.disabled_at is null and u.activated_at is not null and exists (
      select from grants n join roles r on r.id = n.role_id
      where n.user_id = u.id and n.team_id = acting_team()
        and 'canViewPings' = any (r.permissions || n.added) and not 'canViewPings' = any (n.removed))) of_team $function$;

CREATE OR REPLACE FUNCTION tidings.use_feed_token(hash bytea, of_kind text, used_at timestamp with time zone)
 RETURNS TABLE(feed_id bigint, sender text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  update document_tokens t set last_used_at = used_at from feeds f
  where t.token_hash = hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > used_at)
    and f.id = t.feed_id and f.kind = of_kind and f.ended_at is null
  returning f.id, f.sending_application $function$;

CREATE OR REPLACE FUNCTION tidings.use_scim_token(hash bytea, used_at timestamp with time zone)
 RETURNS TABLE(token_id bigint, connection_id bigint, organization_id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  update scim_tokens t set last_used_at = used_at from sso_connections c
  where t.token_hash = hash and t.revoked_at is null and c.id = t.connection_id
  returning t.id, c.id, c.organization_id $function$;

CREATE OR REPLACE FUNCTION tidings.users_of_usage()
 RETURNS TABLE(id bigint, organization_id bigint, username text, first_name text, last_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select u.id, u.organization_id, u.username, u.first_name, u.last_name from users u where reads_usage(u.organization_id) $function$;

CREATE OR REPLACE FUNCTION tidings.visits_of_held(held bigint)
 RETURNS SETOF encounters
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select e.*
  from held_patients h join encounters e on e.person_id = h.person_id and e.status in ('IN_PROGRESS', 'ON_LEAVE', 'FINISHED')
    join groups g on g.id = e.group_id
  where h.id = held and h.admitted_at is null and h.group_id = any (current_groups())
    and (not g.is_part2_facility or e.group_id = h.group_id or exists (
      select from consents c
      where c.person_id = e.person_id and c.facility_group_id = e.group_id and c.recipient_group_id = h.group_id and c.ended_at is null)) $function$;

CREATE OR REPLACE FUNCTION tidings.was_mailed(recipient text, subject text, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidings', 'pg_temp'
AS $function$
  select exists (select from outbox o
    where o.recipient = was_mailed.recipient and o.subject = was_mailed.subject and o.created_at > since) $function$;

CREATE TRIGGER sets_organization BEFORE INSERT ON tidings.audit_entries FOR EACH ROW WHEN (new.in_log) EXECUTE FUNCTION set_organization_of_entry();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.care_instructions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.care_instructions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.care_team_records REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.care_team_records REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.consents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_consents();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.consents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_consents();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.contact_attempts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.contact_attempts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_delete AFTER DELETE ON tidings.documents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION log_documents();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.documents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_documents();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.encounters REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_persons();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.encounters REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_persons();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.events REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_encounters();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.events REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_encounters();
CREATE TRIGGER logs_state AFTER INSERT OR DELETE ON tidings.facility_silences FOR EACH STATEMENT EXECUTE FUNCTION log_feed_state();
CREATE TRIGGER logs_state AFTER UPDATE ON tidings.feeds FOR EACH ROW WHEN ((((old.silent_since IS NULL) <> (new.silent_since IS NULL)) OR ((old.paused_at IS NULL) <> (new.paused_at IS NULL)) OR ((old.ended_at IS NULL) <> (new.ended_at IS NULL)))) EXECUTE FUNCTION log_feed_state();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.groups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_facilities();
CREATE TRIGGER logs_hl7_program AFTER INSERT OR UPDATE ON tidings.hl7_programs FOR EACH ROW EXECUTE FUNCTION log_hl7_program();
CREATE TRIGGER logs_holidays AFTER UPDATE ON tidings.organizations FOR EACH ROW EXECUTE FUNCTION log_holidays();
CREATE TRIGGER logs_rising_risk_rule AFTER UPDATE ON tidings.organizations FOR EACH ROW EXECUTE FUNCTION log_rising_risk_rule();
CREATE TRIGGER logs_delete AFTER DELETE ON tidings.patient_tags REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.patient_tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_own_listings();
CREATE TRIGGER logs_delete AFTER DELETE ON tidings.patient_viewers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_patient_viewers();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.patient_viewers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_patient_viewers();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.pings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_listings();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.pings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_listings();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.roster_patients REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_persons();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.roster_patients REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_persons();
CREATE TRIGGER moves_consents AFTER UPDATE OF person_id ON tidings.roster_patients FOR EACH ROW WHEN ((old.person_id IS DISTINCT FROM new.person_id)) EXECUTE FUNCTION move_consents();
CREATE TRIGGER closes_gap AFTER DELETE ON tidings.saved_filters FOR EACH ROW EXECUTE FUNCTION close_filter_gap();
CREATE TRIGGER forgets_unshared AFTER UPDATE OF shared_at ON tidings.saved_filters FOR EACH ROW WHEN (((old.shared_at IS NOT NULL) AND (new.shared_at IS NULL))) EXECUTE FUNCTION forget_unshared();
CREATE TRIGGER logs_update AFTER UPDATE ON tidings.stay_work REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_stay_work();
CREATE TRIGGER logs_insert AFTER INSERT ON tidings.three_day_waivers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_rows_of_encounters();

alter table access_requests enable row level security;
alter table account_tokens enable row level security;
alter table audit_entries enable row level security;
alter table audit_keys enable row level security;
alter table audit_seals enable row level security;
alter table blocking_entries enable row level security;
alter table blocking_keys enable row level security;
alter table care_file_chunks enable row level security;
alter table care_files enable row level security;
alter table care_instructions enable row level security;
alter table care_team_records enable row level security;
alter table change_log enable row level security;
alter table client_errors enable row level security;
alter table consents enable row level security;
alter table contact_attempts enable row level security;
alter table custom_spotlights enable row level security;
alter table demo_region enable row level security;
alter table devices enable row level security;
alter table document_content_chunks enable row level security;
alter table document_contents enable row level security;
alter table document_tokens enable row level security;
alter table documents enable row level security;
alter table doubtful_links enable row level security;
alter table email_domains enable row level security;
alter table emergency_accesses enable row level security;
alter table encounters enable row level security;
alter table events enable row level security;
alter table exchange_links enable row level security;
alter table export_chunks enable row level security;
alter table export_jobs enable row level security;
alter table facility_hours enable row level security;
alter table facility_links enable row level security;
alter table facility_silences enable row level security;
alter table facts enable row level security;
alter table feed_codes enable row level security;
alter table feed_counts enable row level security;
alter table feed_date_orders enable row level security;
alter table feed_delays enable row level security;
alter table feed_facilities enable row level security;
alter table feed_fields enable row level security;
alter table feed_hours enable row level security;
alter table feeds enable row level security;
alter table grants enable row level security;
alter table groups enable row level security;
alter table held_patients enable row level security;
alter table hl7_programs enable row level security;
alter table identity_attempts enable row level security;
alter table labeled_pairs enable row level security;
alter table list_snapshots enable row level security;
alter table management_statuses enable row level security;
alter table match_reviews enable row level security;
alter table matcher_runs enable row level security;
alter table message_digests enable row level security;
alter table message_dismissals enable row level security;
alter table messages enable row level security;
alter table messages_archive enable row level security;
alter table messages_waiting enable row level security;
alter table mllp_senders enable row level security;
alter table notification_cursor enable row level security;
alter table notification_matches enable row level security;
alter table notification_preferences enable row level security;
alter table notifications enable row level security;
alter table opt_outs enable row level security;
alter table organizations enable row level security;
alter table outbox enable row level security;
alter table outpatient_codes enable row level security;
alter table page_uses enable row level security;
alter table passkeys enable row level security;
alter table password_history enable row level security;
alter table patient_tags enable row level security;
alter table patient_viewers enable row level security;
alter table pending_grants enable row level security;
alter table person_links enable row level security;
alter table persons enable row level security;
alter table phone_verifications enable row level security;
alter table pings enable row level security;
alter table provider_group_access enable row level security;
alter table provider_group_members enable row level security;
alter table provider_groups enable row level security;
alter table quiet_hours enable row level security;
alter table rebuild_failures enable row level security;
alter table rebuild_runs enable row level security;
alter table record_openings enable row level security;
alter table recovery_codes enable row level security;
alter table right_uses enable row level security;
alter table roles enable row level security;
alter table roster_headers enable row level security;
alter table roster_patients enable row level security;
alter table roster_upload_before enable row level security;
alter table roster_upload_changes enable row level security;
alter table roster_upload_rows enable row level security;
alter table roster_upload_warnings enable row level security;
alter table roster_uploads enable row level security;
alter table saved_filters enable row level security;
alter table scim_tokens enable row level security;
alter table search_preferences enable row level security;
alter table sessions enable row level security;
alter table shared_filter_uses enable row level security;
alter table shared_stays enable row level security;
alter table sign_in_challenges enable row level security;
alter table sign_in_places enable row level security;
alter table source_patients enable row level security;
alter table sso_connections enable row level security;
alter table started_messages enable row level security;
alter table started_uploads enable row level security;
alter table stay_views enable row level security;
alter table stay_work enable row level security;
alter table stay_work_changes enable row level security;
alter table tags enable row level security;
alter table team_groups enable row level security;
alter table teams enable row level security;
alter table text_opt_outs enable row level security;
alter table three_day_waivers enable row level security;
alter table unknown_sender_days enable row level security;
alter table usage_events enable row level security;
alter table used_assertions enable row level security;
alter table users enable row level security;

create policy of_administrator on access_requests as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM groups g
  WHERE ((g.id = access_requests.group_id) AND administers(g.organization_id)))));

create policy of_sign_in on access_requests as permissive for all to tidings_app using (acts_for('sign-in'::text));

create policy pipeline on access_requests as permissive for all to tidings_pipeline using (true);

create policy of_account on account_tokens as permissive for all to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = account_tokens.user_id)))));

create policy pipeline on account_tokens as permissive for all to tidings_pipeline using (true);

create policy of_log on audit_entries as permissive for select to tidings_app using ((in_log AND administers(organization_id)));

create policy of_own_actions on audit_entries as permissive for insert to tidings_app with check (((user_id = ( SELECT acting_user() AS acting_user)) OR ((user_id IS NULL) AND acts_for('sign-in'::text))));

create policy pipeline on audit_entries as permissive for all to tidings_pipeline using (true);

create policy pipeline_adds on audit_entries as permissive for insert to tidings_pipeline with check (true);

create policy pipeline_reads on audit_entries as permissive for select to tidings_pipeline using (true);

create policy pipeline on audit_keys as permissive for all to tidings_pipeline using (true);

create policy pipeline on audit_seals as permissive for all to tidings_pipeline using (true);

create policy pipeline on blocking_entries as permissive for all to tidings_pipeline using (true);

create policy pipeline on blocking_keys as permissive for all to tidings_pipeline using (true);

create policy of_group on care_file_chunks as permissive for insert to tidings_app with check ((EXISTS ( SELECT
   FROM (care_files f
     JOIN care_instructions i ON ((i.id = f.instruction_id)))
  WHERE ((f.id = care_file_chunks.file_id) AND (i.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy of_readers on care_file_chunks as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM care_files f
  WHERE (f.id = care_file_chunks.file_id))));

create policy pipeline on care_file_chunks as permissive for all to tidings_pipeline using (true);

create policy of_group on care_files as permissive for insert to tidings_app with check ((EXISTS ( SELECT
   FROM care_instructions i
  WHERE ((i.id = care_files.instruction_id) AND (i.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy of_group_removes on care_files as permissive for delete to tidings_app using ((EXISTS ( SELECT
   FROM care_instructions i
  WHERE ((i.id = care_files.instruction_id) AND (i.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy of_readers on care_files as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM care_instructions i
  WHERE (i.id = care_files.instruction_id))));

create policy pipeline on care_files as permissive for all to tidings_pipeline using (true);

create policy of_group on care_instructions as permissive for insert to tidings_app with check (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE ((r.id = care_instructions.roster_patient_id) AND (r.group_id = care_instructions.group_id))))));

create policy of_group_changes on care_instructions as permissive for update to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy of_readers on care_instructions as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR shares_care(roster_patient_id)));

create policy pipeline on care_instructions as permissive for all to tidings_pipeline using (true);

create policy of_group on care_team_records as permissive for insert to tidings_app with check (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE ((r.id = care_team_records.roster_patient_id) AND (r.group_id = care_team_records.group_id))))));

create policy of_group_changes on care_team_records as permissive for update to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy of_readers on care_team_records as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR shares_care(roster_patient_id)));

create policy pipeline on care_team_records as permissive for all to tidings_pipeline using (true);

create policy of_calls on change_log as permissive for insert to tidings_app with check (((( SELECT acting_user() AS acting_user) IS NOT NULL) OR acts_for('sign-in'::text) OR (COALESCE(current_setting('tidings.administers'::text, true), ''::text) <> ''::text)));

create policy of_followers on change_log as permissive for select to tidings_app using (acts_for('changes'::text));

create policy of_proofs on change_log as permissive for insert to tidings_app with check (((kind = 'replica'::text) AND acts_for('changes'::text)));

create policy pipeline on change_log as permissive for all to tidings_pipeline using (true);

create policy of_call on client_errors as permissive for insert to tidings_app with check (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text)));

create policy pipeline on client_errors as permissive for all to tidings_pipeline using (true);

create policy of_group on consents as permissive for select to tidings_app using (((recipient_group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR (facility_group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))));

create policy pipeline on consents as permissive for all to tidings_pipeline using (true);

create policy of_team on contact_attempts as permissive for all to tidings_app using (((team_id = ( SELECT acting_team() AS acting_team)) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.id = contact_attempts.roster_patient_id))))) with check (((team_id = ( SELECT acting_team() AS acting_team)) AND (user_id = ( SELECT acting_user() AS acting_user)) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.id = contact_attempts.roster_patient_id)))));

create policy pipeline on contact_attempts as permissive for all to tidings_pipeline using (true);

create policy change_of_team on custom_spotlights as permissive for update to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND ( SELECT administers_team() AS administers_team))) with check ((team_id = ( SELECT acting_team() AS acting_team)));

create policy delete_of_team on custom_spotlights as permissive for delete to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND ( SELECT administers_team() AS administers_team)));

create policy of_team on custom_spotlights as permissive for select to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND (( SELECT acting_user() AS acting_user) IS NOT NULL)));

create policy of_user on custom_spotlights as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on custom_spotlights as permissive for all to tidings_pipeline using (true);

create policy pipeline on demo_region as permissive for all to tidings_pipeline using (true);

create policy of_administrator on devices as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM users u
  WHERE ((u.id = devices.user_id) AND administers(u.organization_id)))));

create policy of_sign_in on devices as permissive for all to tidings_app using (acts_for('sign-in'::text));

create policy of_user on devices as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on devices as permissive for all to tidings_pipeline using (true);

create policy of_readers on document_content_chunks as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM document_contents c
  WHERE (c.id = document_content_chunks.content_id))));

create policy pipeline on document_content_chunks as permissive for all to tidings_pipeline using (true);

create policy of_readers on document_contents as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM documents d
  WHERE ((d.content_id = document_contents.id) OR (d.file_id = document_contents.id)))));

create policy pipeline on document_contents as permissive for all to tidings_pipeline using (true);

create policy of_organization on document_tokens as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = document_tokens.feed_id) AND administers(f.organization_id))))) with check ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = document_tokens.feed_id) AND administers(f.organization_id)))));

create policy of_readers on documents as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR (person_id IN ( SELECT r.person_id
   FROM roster_patients r
  WHERE (r.person_id = ANY (( SELECT asked_persons() AS asked_persons)::bigint[])))) OR (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.person_id = documents.person_id)))));

create policy pipeline on documents as permissive for all to tidings_pipeline using (true);

create policy pipeline on doubtful_links as permissive for all to tidings_pipeline using (true);

create policy of_organization on email_domains as permissive for all to tidings_app using (administers(organization_id));

create policy of_sign_in on email_domains as permissive for select to tidings_app using (acts_for('sign-in'::text));

create policy pipeline on email_domains as permissive for all to tidings_pipeline using (true);

create policy of_user on emergency_accesses as permissive for select to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on emergency_accesses as permissive for all to tidings_pipeline using (true);

create policy of_readers on encounters as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR (person_id IN ( SELECT r.person_id
   FROM roster_patients r
  WHERE (r.person_id = ANY (( SELECT asked_persons() AS asked_persons)::bigint[])))) OR (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.person_id = encounters.person_id))) OR (EXISTS ( SELECT
   FROM pings p
  WHERE (p.encounter_id = encounters.id)))));

create policy pipeline on encounters as permissive for all to tidings_pipeline using (true);

create policy of_encounter on events as permissive for select to tidings_app using (((encounter_id IN ( SELECT e.id
   FROM encounters e
  WHERE (e.person_id = ANY (( SELECT asked_persons() AS asked_persons)::bigint[])))) OR (EXISTS ( SELECT
   FROM encounters e
  WHERE (e.id = events.encounter_id)))));

create policy pipeline on events as permissive for all to tidings_pipeline using (true);

create policy of_administrators on exchange_links as permissive for all to tidings_app using (administers(organization_id));

create policy of_members on exchange_links as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM users u
  WHERE ((u.id = ( SELECT acting_user() AS acting_user)) AND (u.organization_id = exchange_links.organization_id)))));

create policy of_sign_in on exchange_links as permissive for select to tidings_app using (acts_for('sign-in'::text));

create policy pipeline on exchange_links as permissive for all to tidings_pipeline using (true);

create policy of_finished_job on export_chunks as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM export_jobs j
  WHERE ((j.id = export_chunks.job_id) AND (j.attempt = export_chunks.attempt) AND (NOT j.in_progress) AND (NOT j.failed)))));

create policy pipeline on export_chunks as permissive for all to tidings_pipeline using (true);

create policy of_user on export_jobs as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on export_jobs as permissive for all to tidings_pipeline using (true);

create policy pipeline on facility_hours as permissive for all to tidings_pipeline using (true);

create policy of_team on facility_links as permissive for select to tidings_app using (((team_id = ( SELECT acting_team() AS acting_team)) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.id = facility_links.roster_patient_id)))));

create policy pipeline on facility_links as permissive for all to tidings_pipeline using (true);

create policy of_everyone on facility_silences as permissive for select to tidings_app using (true);

create policy pipeline on facility_silences as permissive for all to tidings_pipeline using (true);

create policy of_facility on facts as permissive for select to tidings_app using ((( SELECT administers_everything() AS administers_everything) OR (EXISTS ( SELECT
   FROM source_patients s
  WHERE ((s.id = facts.source_patient_id) AND ((s.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR (s.group_id = ANY (( SELECT managed_groups() AS managed_groups)::bigint[]))))))));

create policy pipeline on facts as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_codes as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_codes.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_codes as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_counts as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_counts.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_counts as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_date_orders as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_date_orders.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_date_orders as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_delays as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_delays.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_delays as permissive for all to tidings_pipeline using (true);

create policy of_everyone on feed_facilities as permissive for select to tidings_app using (true);

create policy of_organization on feed_facilities as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_facilities.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_facilities as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_fields as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_fields.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_fields as permissive for all to tidings_pipeline using (true);

create policy of_organization on feed_hours as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = feed_hours.feed_id) AND administers(f.organization_id)))));

create policy pipeline on feed_hours as permissive for all to tidings_pipeline using (true);

create policy of_everyone on feeds as permissive for select to tidings_app using (true);

create policy of_organization on feeds as permissive for all to tidings_app using (administers(organization_id)) with check (((organization_id IS NOT NULL) AND administers(organization_id)));

create policy pipeline on feeds as permissive for all to tidings_pipeline using (true);

create policy administer on grants as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM groups g
  WHERE ((g.id = grants.group_id) AND administers(g.organization_id)))));

create policy of_account on grants as permissive for select to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = grants.user_id)))));

create policy pipeline on grants as permissive for all to tidings_pipeline using (true);

create policy of_everyone on groups as permissive for select to tidings_app using (true);

create policy of_organization on groups as permissive for all to tidings_app using (administers(organization_id)) with check (((organization_id IS NOT NULL) AND administers(organization_id)));

create policy pipeline on groups as permissive for all to tidings_pipeline using (true);

create policy of_group on held_patients as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))) with check ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy pipeline on held_patients as permissive for all to tidings_pipeline using (true);

create policy of_administrators on hl7_programs as permissive for all to tidings_app using (administers(organization_id));

create policy of_teams on hl7_programs as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM teams t
  WHERE ((t.id = ( SELECT acting_team() AS acting_team)) AND (t.organization_id = hl7_programs.organization_id)))));

create policy pipeline on hl7_programs as permissive for all to tidings_pipeline using (true);

create policy of_group on identity_attempts as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy of_organization on identity_attempts as permissive for select to tidings_app using ((group_id IN ( SELECT o.id
   FROM (groups g
     JOIN groups o ON ((o.organization_id = g.organization_id)))
  WHERE (g.id = ANY (( SELECT current_groups() AS current_groups)::bigint[])))));

create policy pipeline on identity_attempts as permissive for all to tidings_pipeline using (true);

create policy pipeline on labeled_pairs as permissive for all to tidings_pipeline using (true);

create policy pipeline on list_snapshots as permissive for all to tidings_pipeline using (true);

create policy of_group on management_statuses as permissive for all to tidings_app using ((group_ids && ( SELECT current_groups() AS current_groups))) with check (((cardinality(group_ids) > 0) AND (group_ids <@ ( SELECT current_groups() AS current_groups))));

create policy pipeline on management_statuses as permissive for all to tidings_pipeline using (true);

create policy of_group on match_reviews as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR ( SELECT administers_everything() AS administers_everything)));

create policy pipeline on match_reviews as permissive for all to tidings_pipeline using (true);

create policy pipeline on matcher_runs as permissive for all to tidings_pipeline using (true);

create policy pipeline on message_digests as permissive for all to tidings_pipeline using (true);

create policy of_message on message_dismissals as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM messages m
  WHERE (m.id = message_dismissals.message_id)))) with check ((EXISTS ( SELECT
   FROM messages m
  WHERE (m.id = message_dismissals.message_id))));

create policy pipeline on message_dismissals as permissive for all to tidings_pipeline using (true);

create policy of_administrator on messages as permissive for all to tidings_app using ((( SELECT administers_everything() AS administers_everything) OR (feed_id = ANY (( SELECT managed_feeds() AS managed_feeds)::bigint[])) OR ((source = ANY (ARRAY['MANUAL'::text, 'LINK'::text])) AND (sending_facility = ANY ((( SELECT current_groups() AS current_groups))::text[]))) OR ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = messages.feed_id) AND administers(f.organization_id)))) AND (EXISTS ( SELECT
   FROM facts k
  WHERE (k.message_id = messages.id))))));

create policy of_adoption on messages as permissive for all to tidings_app using ((acts_for('adoption'::text) AND (status = 'QUARANTINED'::text)));

create policy pipeline on messages as permissive for all to tidings_pipeline using (true);

create policy pipeline on mllp_senders as permissive for all to tidings_pipeline using (true);

create policy pipeline on notification_cursor as permissive for all to tidings_pipeline using (true);

create policy pipeline on notification_matches as permissive for all to tidings_pipeline using (true);

create policy of_user on notification_preferences as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on notification_preferences as permissive for all to tidings_pipeline using (true);

create policy of_user on notifications as permissive for select to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on notifications as permissive for all to tidings_pipeline using (true);

create policy of_user on opt_outs as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on opt_outs as permissive for all to tidings_pipeline using (true);

create policy of_everyone on organizations as permissive for select to tidings_app using (true);

create policy of_itself on organizations as permissive for all to tidings_app using (administers(id));

create policy pipeline on organizations as permissive for all to tidings_pipeline using (true);

create policy of_mailbox on outbox as permissive for select to tidings_app using (acts_for('mailbox'::text));

create policy of_user on outbox as permissive for select to tidings_app using (((topic <> 'ACCOUNT'::text) AND (user_id = ( SELECT acting_user() AS acting_user))));

create policy pipeline on outbox as permissive for all to tidings_pipeline using (true);

create policy of_organization on outpatient_codes as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM feeds f
  WHERE ((f.id = outpatient_codes.feed_id) AND administers(f.organization_id)))));

create policy pipeline on outpatient_codes as permissive for all to tidings_pipeline using (true);

create policy of_report on page_uses as permissive for select to tidings_app using ((administers(organization_id) OR reads_usage(organization_id)));

create policy of_user on page_uses as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on page_uses as permissive for all to tidings_pipeline using (true);

create policy of_account on passkeys as permissive for all to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = passkeys.user_id)))));

create policy pipeline on passkeys as permissive for all to tidings_pipeline using (true);

create policy of_sign_in on password_history as permissive for all to tidings_app using (acts_for('sign-in'::text));

create policy of_user on password_history as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on password_history as permissive for all to tidings_pipeline using (true);

create policy of_team on patient_tags as permissive for all to tidings_app using (((EXISTS ( SELECT
   FROM tags t
  WHERE (t.id = patient_tags.tag_id))) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.id = patient_tags.roster_patient_id)))));

create policy pipeline on patient_tags as permissive for all to tidings_pipeline using (true);

create policy of_team on patient_viewers as permissive for all to tidings_app using ((team_id = ( SELECT acting_team() AS acting_team))) with check (((team_id = ( SELECT acting_team() AS acting_team)) AND (user_id = ( SELECT acting_user() AS acting_user)) AND (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.person_id = patient_viewers.person_id)))));

create policy pipeline on patient_viewers as permissive for all to tidings_pipeline using (true);

create policy of_organization on pending_grants as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM users u,
    users me
  WHERE ((u.id = pending_grants.user_id) AND (me.id = ( SELECT acting_user() AS acting_user)) AND (me.is_operator OR (me.organization_id = u.organization_id)))))) with check ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on pending_grants as permissive for all to tidings_pipeline using (true);

create policy pipeline on person_links as permissive for all to tidings_pipeline using (true);

create policy pipeline on persons as permissive for all to tidings_pipeline using (true);

create policy of_user on phone_verifications as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on phone_verifications as permissive for all to tidings_pipeline using (true);

create policy of_group on pings as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy pipeline on pings as permissive for all to tidings_pipeline using (true);

create policy of_organization on provider_group_access as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM provider_groups p
  WHERE (p.id = provider_group_access.provider_group_id))));

create policy pipeline on provider_group_access as permissive for all to tidings_pipeline using (true);

create policy of_organization on provider_group_members as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM users u
  WHERE ((u.id = provider_group_members.user_id) AND administers(u.organization_id)))));

create policy pipeline on provider_group_members as permissive for all to tidings_pipeline using (true);

create policy of_organization on provider_groups as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM sso_connections c
  WHERE ((c.id = provider_groups.connection_id) AND administers(c.organization_id)))));

create policy pipeline on provider_groups as permissive for all to tidings_pipeline using (true);

create policy of_user on quiet_hours as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on quiet_hours as permissive for all to tidings_pipeline using (true);

create policy pipeline on rebuild_failures as permissive for all to tidings_pipeline using (true);

create policy pipeline on rebuild_runs as permissive for all to tidings_pipeline using (true);

create policy of_group on record_openings as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy pipeline on record_openings as permissive for all to tidings_pipeline using (true);

create policy of_account on recovery_codes as permissive for all to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = recovery_codes.user_id)))));

create policy pipeline on recovery_codes as permissive for all to tidings_pipeline using (true);

create policy of_report on right_uses as permissive for select to tidings_app using (administers(organization_id));

create policy of_user on right_uses as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on right_uses as permissive for all to tidings_pipeline using (true);

create policy of_everyone on roles as permissive for select to tidings_app using (true);

create policy of_organization on roles as permissive for all to tidings_app using (administers(organization_id)) with check (((organization_id IS NOT NULL) AND administers(organization_id)));

create policy pipeline on roles as permissive for all to tidings_pipeline using (true);

create policy of_group on roster_headers as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy of_group on roster_patients as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy pipeline on roster_patients as permissive for all to tidings_pipeline using (true);

create policy pipeline on roster_upload_before as permissive for all to tidings_pipeline using (true);

create policy of_upload on roster_upload_changes as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM roster_uploads u
  WHERE ((u.id = roster_upload_changes.upload_id) AND (u.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy pipeline on roster_upload_changes as permissive for all to tidings_pipeline using (true);

create policy of_upload on roster_upload_rows as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM roster_uploads u
  WHERE ((u.id = roster_upload_rows.upload_id) AND (u.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy pipeline on roster_upload_rows as permissive for all to tidings_pipeline using (true);

create policy of_upload on roster_upload_warnings as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM roster_uploads u
  WHERE ((u.id = roster_upload_warnings.upload_id) AND (u.group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[]))))));

create policy pipeline on roster_upload_warnings as permissive for all to tidings_pipeline using (true);

create policy of_group on roster_uploads as permissive for all to tidings_app using ((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])));

create policy only_receiving on roster_uploads as restrictive for delete to tidings_app using ((status = 'RECEIVING'::text));

create policy pipeline on roster_uploads as permissive for all to tidings_pipeline using (true);

create policy change_of_team on saved_filters as permissive for update to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND ( SELECT administers_team() AS administers_team))) with check ((team_id = ( SELECT acting_team() AS acting_team)));

create policy delete_of_team on saved_filters as permissive for delete to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND ( SELECT administers_team() AS administers_team)));

create policy of_team on saved_filters as permissive for select to tidings_app using (((shared_at IS NOT NULL) AND (team_id = ( SELECT acting_team() AS acting_team)) AND (( SELECT acting_user() AS acting_user) IS NOT NULL)));

create policy of_user on saved_filters as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on saved_filters as permissive for all to tidings_pipeline using (true);

create policy of_organization on scim_tokens as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM sso_connections c
  WHERE ((c.id = scim_tokens.connection_id) AND administers(c.organization_id)))));

create policy pipeline on scim_tokens as permissive for all to tidings_pipeline using (true);

create policy of_user on search_preferences as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on search_preferences as permissive for all to tidings_pipeline using (true);

create policy of_account on sessions as permissive for all to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = sessions.user_id)))));

create policy pipeline on sessions as permissive for all to tidings_pipeline using (true);

create policy of_user on shared_filter_uses as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on shared_filter_uses as permissive for all to tidings_pipeline using (true);

create policy pipeline on shared_stays as permissive for all to tidings_pipeline using (true);

create policy of_account on sign_in_challenges as permissive for all to tidings_app using (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text) OR (EXISTS ( SELECT
   FROM users u
  WHERE (u.id = sign_in_challenges.user_id)))));

create policy pipeline on sign_in_challenges as permissive for all to tidings_pipeline using (true);

create policy of_sign_in on sign_in_places as permissive for all to tidings_app using ((acts_for('sign-in'::text) OR (account = ( SELECT sha256(convert_to(u.username, 'UTF8'::name)) AS sha256
   FROM users u
  WHERE (u.id = ( SELECT acting_user() AS acting_user)))) OR (COALESCE(current_setting('tidings.administers'::text, true), ''::text) <> ''::text)));

create policy pipeline on sign_in_places as permissive for all to tidings_pipeline using (true);

create policy of_readers on source_patients as permissive for select to tidings_app using (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) OR (EXISTS ( SELECT
   FROM roster_patients r
  WHERE (r.person_id = source_patients.person_id))) OR (group_id = ANY (( SELECT managed_groups() AS managed_groups)::bigint[])) OR ( SELECT administers_everything() AS administers_everything)));

create policy pipeline on source_patients as permissive for all to tidings_pipeline using (true);

create policy of_organization on sso_connections as permissive for all to tidings_app using (administers(organization_id));

create policy of_sign_in on sso_connections as permissive for select to tidings_app using (acts_for('sign-in'::text));

create policy pipeline on sso_connections as permissive for all to tidings_pipeline using (true);

create policy pipeline on started_messages as permissive for all to tidings_pipeline using (true);

create policy pipeline on started_uploads as permissive for all to tidings_pipeline using (true);

create policy of_user on stay_views as permissive for all to tidings_app using ((user_id = ( SELECT acting_user() AS acting_user)));

create policy pipeline on stay_views as permissive for all to tidings_pipeline using (true);

create policy of_team on stay_work as permissive for all to tidings_app using (((team_id = ( SELECT acting_team() AS acting_team)) AND (EXISTS ( SELECT
   FROM encounters e
  WHERE (e.id = stay_work.encounter_id)))));

create policy pipeline on stay_work as permissive for all to tidings_pipeline using (true);

create policy of_team on stay_work_changes as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM stay_work w
  WHERE (w.id = stay_work_changes.stay_work_id)))) with check (((user_id = ( SELECT acting_user() AS acting_user)) AND (EXISTS ( SELECT
   FROM stay_work w
  WHERE (w.id = stay_work_changes.stay_work_id)))));

create policy pipeline on stay_work_changes as permissive for all to tidings_pipeline using (true);

create policy of_team on tags as permissive for all to tidings_app using ((team_id = ( SELECT acting_team() AS acting_team)));

create policy pipeline on tags as permissive for all to tidings_pipeline using (true);

create policy of_everyone on team_groups as permissive for select to tidings_app using (true);

create policy of_organization on team_groups as permissive for all to tidings_app using ((EXISTS ( SELECT
   FROM teams t
  WHERE ((t.id = team_groups.team_id) AND administers(t.organization_id)))));

create policy pipeline on team_groups as permissive for all to tidings_pipeline using (true);

create policy of_everyone on teams as permissive for select to tidings_app using (true);

create policy of_organization on teams as permissive for all to tidings_app using (administers(organization_id)) with check (((organization_id IS NOT NULL) AND administers(organization_id)));

create policy pipeline on teams as permissive for all to tidings_pipeline using (true);

create policy pipeline on text_opt_outs as permissive for all to tidings_pipeline using (true);

create policy of_encounter on three_day_waivers as permissive for select to tidings_app using ((EXISTS ( SELECT
   FROM encounters e
  WHERE (e.id = three_day_waivers.encounter_id))));

create policy of_group on three_day_waivers as permissive for insert to tidings_app with check (((group_id = ANY (( SELECT current_groups() AS current_groups)::bigint[])) AND (changed_by = ( SELECT acting_user() AS acting_user)) AND (EXISTS ( SELECT
   FROM encounters e
  WHERE (e.id = three_day_waivers.encounter_id)))));

create policy pipeline on three_day_waivers as permissive for all to tidings_pipeline using (true);

create policy of_operator on unknown_sender_days as permissive for select to tidings_app using (( SELECT administers_everything() AS administers_everything));

create policy pipeline on unknown_sender_days as permissive for all to tidings_pipeline using (true);

create policy of_call on usage_events as permissive for insert to tidings_app with check (((user_id = ( SELECT acting_user() AS acting_user)) OR acts_for('sign-in'::text)));

create policy pipeline on usage_events as permissive for all to tidings_pipeline using (true);

create policy of_sign_in on used_assertions as permissive for all to tidings_app using (acts_for('sign-in'::text));

create policy pipeline on used_assertions as permissive for all to tidings_pipeline using (true);

create policy change_account on users as permissive for update to tidings_app using (((id = ( SELECT acting_user() AS acting_user)) OR administers(organization_id) OR acts_for('sign-in'::text)));

create policy invite on users as permissive for insert to tidings_app with check (administers(organization_id));

create policy of_account on users as permissive for select to tidings_app using (((id = ( SELECT acting_user() AS acting_user)) OR administers(organization_id) OR acts_for('sign-in'::text)));

create policy pipeline on users as permissive for all to tidings_pipeline using (true);

grant delete, insert, select, update on access_requests to tidings_app;
grant delete, insert, select, update on access_requests to tidings_pipeline;
grant usage on access_requests_id_seq to tidings_app;
grant usage on access_requests_id_seq to tidings_pipeline;
grant delete, insert, select, update on account_tokens to tidings_app;
grant delete, insert, select, update on account_tokens to tidings_pipeline;
grant insert, select on audit_entries to tidings_app;
grant insert, select on audit_entries to tidings_pipeline;
grant usage on audit_entries_id_seq to tidings_app;
grant usage on audit_entries_id_seq to tidings_pipeline;
grant insert, select on audit_seals to tidings_pipeline;
grant delete, insert, select, update on blocking_entries to tidings_pipeline;
grant delete, insert, select, update on blocking_keys to tidings_pipeline;
grant insert, select on care_file_chunks to tidings_app;
grant insert, select on care_file_chunks to tidings_pipeline;
grant delete, insert, select on care_files to tidings_app;
grant delete, insert, select on care_files to tidings_pipeline;
grant usage on care_files_id_seq to tidings_app;
grant usage on care_files_id_seq to tidings_pipeline;
grant insert, select, update on care_instructions to tidings_app;
grant insert, select, update on care_instructions to tidings_pipeline;
grant usage on care_instructions_id_seq to tidings_app;
grant usage on care_instructions_id_seq to tidings_pipeline;
grant insert, select, update on care_team_records to tidings_app;
grant insert, select, update on care_team_records to tidings_pipeline;
grant usage on care_team_records_id_seq to tidings_app;
grant usage on care_team_records_id_seq to tidings_pipeline;
grant insert, select on change_log to tidings_app;
grant delete, insert, select, update on change_log to tidings_pipeline;
grant usage on change_log_id_seq to tidings_app;
grant usage on change_log_id_seq to tidings_pipeline;
grant insert on client_errors to tidings_app;
grant delete, insert, select, update on client_errors to tidings_pipeline;
grant usage on client_errors_id_seq to tidings_app;
grant usage on client_errors_id_seq to tidings_pipeline;
grant select on consents to tidings_app;
grant delete, insert, select, update on consents to tidings_pipeline;
grant usage on consents_id_seq to tidings_app;
grant usage on consents_id_seq to tidings_pipeline;
grant insert, select, update (removed_at) on contact_attempts to tidings_app;
grant insert, select on contact_attempts to tidings_pipeline;
grant usage on contact_attempts_id_seq to tidings_app;
grant usage on contact_attempts_id_seq to tidings_pipeline;
grant delete, insert, select, update on custom_spotlights to tidings_app;
grant delete, insert, select, update on custom_spotlights to tidings_pipeline;
grant usage on custom_spotlights_id_seq to tidings_app;
grant usage on custom_spotlights_id_seq to tidings_pipeline;
grant insert, select, update (is_complete) on demo_region to tidings_pipeline;
grant delete, insert, select, update on devices to tidings_app;
grant delete, insert, select, update on devices to tidings_pipeline;
grant select on document_content_chunks to tidings_app;
grant delete, insert, select, update on document_content_chunks to tidings_pipeline;
grant select on document_contents to tidings_app;
grant delete, insert, select, update on document_contents to tidings_pipeline;
grant usage on document_contents_id_seq to tidings_app;
grant usage on document_contents_id_seq to tidings_pipeline;
grant insert, select, update on document_tokens to tidings_app;
grant usage on document_tokens_id_seq to tidings_app;
grant usage on document_tokens_id_seq to tidings_pipeline;
grant select on documents to tidings_app;
grant delete, insert, select, update on documents to tidings_pipeline;
grant usage on documents_id_seq to tidings_app;
grant usage on documents_id_seq to tidings_pipeline;
grant delete, insert, select, update on doubtful_links to tidings_pipeline;
grant insert, select, update on email_domains to tidings_app;
grant delete, insert, select, update on email_domains to tidings_pipeline;
grant select on emergency_accesses to tidings_app;
grant insert, select on emergency_accesses to tidings_pipeline;
grant usage on emergency_accesses_id_seq to tidings_app;
grant usage on emergency_accesses_id_seq to tidings_pipeline;
grant select on encounters to tidings_app;
grant delete, insert, select, update on encounters to tidings_pipeline;
grant usage on encounters_id_seq to tidings_app;
grant usage on encounters_id_seq to tidings_pipeline;
grant select on events to tidings_app;
grant delete, insert, select, update on events to tidings_pipeline;
grant usage on events_id_seq to tidings_app;
grant usage on events_id_seq to tidings_pipeline;
grant delete, insert, select, update on exchange_links to tidings_app;
grant delete, insert, select, update on exchange_links to tidings_pipeline;
grant select on export_chunks to tidings_app;
grant delete, insert, select, update on export_chunks to tidings_pipeline;
grant delete, insert (created_at), insert (export_type), insert (group_ids), insert (in_progress), insert (keys), insert (kind), insert (modified_at), insert (name), insert (parameters), insert (rows_total), insert (team_id), insert (user_id), select on export_jobs to tidings_app;
grant delete, insert, select, update on export_jobs to tidings_pipeline;
grant usage on export_jobs_id_seq to tidings_app;
grant usage on export_jobs_id_seq to tidings_pipeline;
grant delete, insert, select, update on facility_hours to tidings_pipeline;
grant select (answer), select (answered_at), select (created_at), select (created_by), select (created_by_name), select (encounter_id), select (expired_at), select (expires_at), select (id), select (locked_at), select (message_id), select (opened_at), select (purpose), select (recipient), select (retraction_id), select (revoked_at), select (revoked_by), select (revoked_by_name), select (roster_patient_id), select (team_id) on facility_links to tidings_app;
grant insert, select, update on facility_links to tidings_pipeline;
grant usage on facility_links_id_seq to tidings_app;
grant usage on facility_links_id_seq to tidings_pipeline;
grant select on facility_silences to tidings_app;
grant delete, insert, select, update on facility_silences to tidings_pipeline;
grant select on facts to tidings_app;
grant delete, insert, select, update on facts to tidings_pipeline;
grant usage on facts_id_seq to tidings_app;
grant usage on facts_id_seq to tidings_pipeline;
grant select on feed_codes to tidings_app;
grant delete, insert, select, update on feed_codes to tidings_pipeline;
grant insert, select, update on feed_counts to tidings_app;
grant delete, insert, select, update on feed_counts to tidings_pipeline;
grant select on feed_date_orders to tidings_app;
grant insert, select, update on feed_date_orders to tidings_pipeline;
grant select on feed_delays to tidings_app;
grant delete, insert, select, update on feed_delays to tidings_pipeline;
grant delete, insert, select, update on feed_facilities to tidings_app;
grant delete, insert, select, update on feed_facilities to tidings_pipeline;
grant select on feed_fields to tidings_app;
grant delete, insert, select, update on feed_fields to tidings_pipeline;
grant insert, select, update on feed_hours to tidings_app;
grant delete, insert, select, update on feed_hours to tidings_pipeline;
grant insert, select, update on feeds to tidings_app;
grant insert, select, update on feeds to tidings_pipeline;
grant usage on feeds_id_seq to tidings_app;
grant usage on feeds_id_seq to tidings_pipeline;
grant execute on function acting_team() to tidings_app;
grant execute on function acting_team() to tidings_pipeline;
grant execute on function acting_user() to tidings_app;
grant execute on function acting_user() to tidings_pipeline;
grant execute on function acts_for(text) to tidings_app;
grant execute on function acts_for(text) to tidings_pipeline;
grant execute on function administers(bigint) to tidings_app;
grant execute on function administers(bigint) to tidings_pipeline;
grant execute on function administers_everything() to tidings_app;
grant execute on function administers_everything() to tidings_pipeline;
grant execute on function administers_team() to tidings_app;
grant execute on function analyze_grown_tables() to tidings_pipeline;
grant execute on function analyze_identities() to tidings_pipeline;
grant execute on function analyze_listings() to tidings_pipeline;
grant execute on function asked_persons() to tidings_app;
grant execute on function asked_persons() to tidings_pipeline;
grant execute on function audit_key() to tidings_app;
grant execute on function audit_key_hash() to tidings_pipeline;
grant execute on function care_listings(bigint) to tidings_app;
grant execute on function care_listings(bigint) to tidings_pipeline;
grant execute on function colleagues_using_shared_filters() to tidings_app;
grant execute on function create_user_at_sign_in(bigint,text,text,text,text,timestamp with time zone) to tidings_app;
grant execute on function current_candidates(text,bigint,jsonb) to tidings_app;
grant execute on function current_candidates(text,bigint,jsonb) to tidings_pipeline;
grant execute on function current_emergencies() to tidings_app;
grant execute on function current_emergencies() to tidings_pipeline;
grant execute on function current_groups() to tidings_app;
grant execute on function current_groups() to tidings_pipeline;
grant execute on function death_of_held(bigint) to tidings_app;
grant execute on function document_message_outcome(bigint,bigint) to tidings_app;
grant execute on function drop_partitions(text,date) to tidings_pipeline;
grant execute on function emergencies_at(bigint[]) to tidings_app;
grant execute on function enqueue_job(text,json,text,timestamp with time zone,integer,text,integer,text) to tidings_app;
grant execute on function enqueue_job(text,json,text,timestamp with time zone,integer,text,integer,text) to tidings_pipeline;
grant execute on function ensure_partitions(date,date) to tidings_pipeline;
grant execute on function evidence_of_visit(bigint) to tidings_app;
grant execute on function evidence_of_visit(bigint) to tidings_pipeline;
grant execute on function feed_health(bigint,timestamp with time zone) to tidings_app;
grant execute on function feed_health(bigint,timestamp with time zone) to tidings_pipeline;
grant execute on function has_opted_out(bigint) to tidings_app;
grant execute on function has_opted_out(bigint) to tidings_pipeline;
grant execute on function heard_by_another_feed(bigint,bigint,timestamp with time zone) to tidings_app;
grant execute on function kind_of_connection(bigint) to tidings_app;
grant execute on function kind_of_connection(bigint) to tidings_pipeline;
grant execute on function link_of_visit(bigint,bigint) to tidings_app;
grant execute on function link_of_visit(bigint,bigint) to tidings_pipeline;
grant execute on function links_of(bigint) to tidings_app;
grant execute on function links_of(bigint) to tidings_pipeline;
grant execute on function look_up_held(bigint,timestamp with time zone) to tidings_app;
grant execute on function managed_feeds() to tidings_app;
grant execute on function managed_feeds() to tidings_pipeline;
grant execute on function managed_groups() to tidings_app;
grant execute on function managed_groups() to tidings_pipeline;
grant execute on function messages_of_event(bigint) to tidings_app;
grant execute on function messages_of_event(bigint) to tidings_pipeline;
grant execute on function name_of_user(bigint) to tidings_app;
grant execute on function name_of_user(bigint) to tidings_pipeline;
grant execute on function note_text_reply(text,boolean,timestamp with time zone) to tidings_app;
grant execute on function note_text_reply(text,boolean,timestamp with time zone) to tidings_pipeline;
grant execute on function notices_of_event(bigint,bigint) to tidings_app;
grant execute on function organization_signs_in(bigint,text,text) to tidings_app;
grant execute on function organization_signs_in(bigint,text,text) to tidings_pipeline;
grant execute on function organizations_of_held(bigint) to tidings_app;
grant execute on function owners_of_shared_filters() to tidings_app;
grant execute on function owners_of_shared_spotlights() to tidings_app;
grant execute on function pass_on_stays(bigint,bigint,jsonb,text,timestamp with time zone) to tidings_app;
grant execute on function patient_accesses(bigint,bigint,integer,integer) to tidings_app;
grant execute on function patients_of_message(bigint) to tidings_app;
grant execute on function patients_of_message(bigint) to tidings_pipeline;
grant execute on function phones_of(bigint) to tidings_app;
grant execute on function phones_of(bigint) to tidings_pipeline;
grant execute on function post_letter(text,text,text,text,timestamp with time zone,text,integer) to tidings_app;
grant execute on function post_letter(text,text,text,text,timestamp with time zone,text,integer) to tidings_pipeline;
grant execute on function programs_of(bigint) to tidings_app;
grant execute on function programs_of(bigint) to tidings_pipeline;
grant execute on function readers_elsewhere(bigint,bigint) to tidings_app;
grant execute on function readers_of_visit(bigint,timestamp with time zone) to tidings_app;
grant execute on function readers_of_visit(bigint,timestamp with time zone) to tidings_pipeline;
grant execute on function reads_usage(bigint) to tidings_app;
grant execute on function record_part2_lifted(bigint,bigint,timestamp with time zone) to tidings_app;
grant execute on function rename_user_of_connection(bigint,bigint,text) to tidings_app;
grant execute on function shares_care(bigint) to tidings_app;
grant execute on function shares_care(bigint) to tidings_pipeline;
grant execute on function stays_taken_by(bigint[]) to tidings_app;
grant execute on function team_colleagues() to tidings_app;
grant execute on function use_feed_token(bytea,text,timestamp with time zone) to tidings_app;
grant execute on function use_scim_token(bytea,timestamp with time zone) to tidings_app;
grant execute on function users_of_usage() to tidings_app;
grant execute on function was_mailed(text,text,timestamp with time zone) to tidings_app;
grant execute on function was_mailed(text,text,timestamp with time zone) to tidings_pipeline;
grant delete, insert, select, update on grants to tidings_app;
grant delete, insert, select, update on grants to tidings_pipeline;
grant insert, select, update on groups to tidings_app;
grant insert, select, update on groups to tidings_pipeline;
grant usage on groups_id_seq to tidings_app;
grant usage on groups_id_seq to tidings_pipeline;
grant delete, insert (created_at), insert (created_by), insert (date_of_birth), insert (expires_at), insert (first_name), insert (gender), insert (group_id), insert (last_name), insert (ssn_last4), insert (zip), select on held_patients to tidings_app;
grant delete, insert, select, update on held_patients to tidings_pipeline;
grant usage on held_patients_id_seq to tidings_app;
grant usage on held_patients_id_seq to tidings_pipeline;
grant insert, select, update on hl7_programs to tidings_app;
grant insert, select, update on hl7_programs to tidings_pipeline;
grant usage on hl7_programs_id_seq to tidings_app;
grant usage on hl7_programs_id_seq to tidings_pipeline;
grant insert, select on identity_attempts to tidings_app;
grant delete, insert, select on identity_attempts to tidings_pipeline;
grant usage on identity_attempts_id_seq to tidings_app;
grant usage on identity_attempts_id_seq to tidings_pipeline;
grant insert, select, update on labeled_pairs to tidings_pipeline;
grant usage on labeled_pairs_id_seq to tidings_app;
grant usage on labeled_pairs_id_seq to tidings_pipeline;
grant insert, select on list_snapshots to tidings_pipeline;
grant insert, select on management_statuses to tidings_app;
grant delete, insert, select, update on management_statuses to tidings_pipeline;
grant usage on management_statuses_id_seq to tidings_app;
grant usage on management_statuses_id_seq to tidings_pipeline;
grant select on match_reviews to tidings_app;
grant delete, insert, select, update on match_reviews to tidings_pipeline;
grant usage on match_reviews_id_seq to tidings_app;
grant usage on match_reviews_id_seq to tidings_pipeline;
grant insert, select, update on matcher_runs to tidings_pipeline;
grant usage on matcher_runs_id_seq to tidings_app;
grant usage on matcher_runs_id_seq to tidings_pipeline;
grant delete, insert, select, update on message_digests to tidings_pipeline;
grant insert, select, update (ended_at) on message_dismissals to tidings_app;
grant delete, select on message_dismissals to tidings_pipeline;
grant usage on message_dismissals_id_seq to tidings_app;
grant usage on message_dismissals_id_seq to tidings_pipeline;
grant select, update (attempts), update (feed_id), update (processed_at), update (reason), update (sender), update (status) on messages to tidings_app;
grant delete, insert, select, update on messages to tidings_pipeline;
grant usage on messages_id_seq to tidings_app;
grant usage on messages_id_seq to tidings_pipeline;
grant select on migrations to tidings_app;
grant select on migrations to tidings_pipeline;
grant delete, insert, select, update on mllp_senders to tidings_pipeline;
grant usage on name_snapshots_number_seq to tidings_app;
grant usage on name_snapshots_number_seq to tidings_pipeline;
grant delete, insert, select, update on notification_cursor to tidings_pipeline;
grant delete, insert, select, update on notification_matches to tidings_pipeline;
grant usage on notification_matches_id_seq to tidings_app;
grant usage on notification_matches_id_seq to tidings_pipeline;
grant delete, insert, select, update on notification_preferences to tidings_app;
grant select on notification_preferences to tidings_pipeline;
grant select on notifications to tidings_app;
grant delete, insert, select, update on notifications to tidings_pipeline;
grant usage on notifications_id_seq to tidings_app;
grant usage on notifications_id_seq to tidings_pipeline;
grant delete, insert, select, update on opt_outs to tidings_app;
grant delete, insert, select, update on opt_outs to tidings_pipeline;
grant select, update (added_holidays), update (allows_emergency_access), update (embedded_spotlights), update (inactivity_minutes), update (removed_holidays), update (requires_second_factor), update (requires_sso), update (rising_risk_rule), update (session_hours) on organizations to tidings_app;
grant delete, insert, select, update on organizations to tidings_pipeline;
grant usage on organizations_id_seq to tidings_app;
grant usage on organizations_id_seq to tidings_pipeline;
grant select on outbox to tidings_app;
grant delete, insert, select, update on outbox to tidings_pipeline;
grant usage on outbox_id_seq to tidings_app;
grant usage on outbox_id_seq to tidings_pipeline;
grant select on outpatient_codes to tidings_app;
grant delete, insert, select, update on outpatient_codes to tidings_pipeline;
grant insert, select, update on page_uses to tidings_app;
grant delete, insert, select, update on page_uses to tidings_pipeline;
grant delete, insert, select, update on passkeys to tidings_app;
grant delete, insert, select, update on passkeys to tidings_pipeline;
grant usage on passkeys_id_seq to tidings_app;
grant usage on passkeys_id_seq to tidings_pipeline;
grant delete, insert, select, update on password_history to tidings_app;
grant delete, insert, select, update on password_history to tidings_pipeline;
grant usage on password_history_id_seq to tidings_app;
grant usage on password_history_id_seq to tidings_pipeline;
grant delete, insert, select on patient_tags to tidings_app;
grant delete, insert, select on patient_tags to tidings_pipeline;
grant delete, insert, select, update (display_name), update (seen_at) on patient_viewers to tidings_app;
grant delete, select on patient_viewers to tidings_pipeline;
grant delete, insert, select, update on pending_grants to tidings_app;
grant delete, insert, select, update on pending_grants to tidings_pipeline;
grant usage on pending_grants_id_seq to tidings_app;
grant usage on pending_grants_id_seq to tidings_pipeline;
grant delete, insert, select, update on person_links to tidings_pipeline;
grant usage on person_links_id_seq to tidings_app;
grant usage on person_links_id_seq to tidings_pipeline;
grant delete, insert, select, update on persons to tidings_pipeline;
grant usage on persons_id_seq to tidings_app;
grant usage on persons_id_seq to tidings_pipeline;
grant delete, insert, select, update on phone_verifications to tidings_app;
grant delete, insert, select, update on phone_verifications to tidings_pipeline;
grant select, update (management_status), update (status_at), update (status_id) on pings to tidings_app;
grant delete, insert, select, update on pings to tidings_pipeline;
grant usage on pings_id_seq to tidings_app;
grant usage on pings_id_seq to tidings_pipeline;
grant delete, insert, select, update on provider_group_access to tidings_app;
grant delete, insert, select, update on provider_group_access to tidings_pipeline;
grant delete, insert, select, update on provider_group_members to tidings_app;
grant delete, insert, select, update on provider_group_members to tidings_pipeline;
grant delete, insert, select, update on provider_groups to tidings_app;
grant delete, insert, select, update on provider_groups to tidings_pipeline;
grant usage on provider_groups_id_seq to tidings_app;
grant usage on provider_groups_id_seq to tidings_pipeline;
grant delete, insert, select, update on quiet_hours to tidings_app;
grant select on quiet_hours to tidings_pipeline;
grant insert, select on rebuild_failures to tidings_pipeline;
grant insert, select, update on rebuild_runs to tidings_pipeline;
grant usage on rebuild_runs_id_seq to tidings_app;
grant usage on rebuild_runs_id_seq to tidings_pipeline;
grant select on record_openings to tidings_app;
grant insert, select on record_openings to tidings_pipeline;
grant usage on record_openings_id_seq to tidings_app;
grant usage on record_openings_id_seq to tidings_pipeline;
grant delete, insert, select, update on recovery_codes to tidings_app;
grant delete, insert, select, update on recovery_codes to tidings_pipeline;
grant insert, select, update on right_uses to tidings_app;
grant delete, insert, select, update on right_uses to tidings_pipeline;
grant delete, insert, select, update on roles to tidings_app;
grant delete, insert, select, update on roles to tidings_pipeline;
grant usage on roles_id_seq to tidings_app;
grant usage on roles_id_seq to tidings_pipeline;
grant delete, insert, select, update on roster_headers to tidings_app;
grant select on roster_patients to tidings_app;
grant delete, insert, select, update on roster_patients to tidings_pipeline;
grant usage on roster_patients_id_seq to tidings_app;
grant usage on roster_patients_id_seq to tidings_pipeline;
grant delete, insert, select on roster_upload_before to tidings_pipeline;
grant select on roster_upload_changes to tidings_app;
grant delete, insert, select on roster_upload_changes to tidings_pipeline;
grant insert, select on roster_upload_rows to tidings_app;
grant delete, insert, select, update on roster_upload_rows to tidings_pipeline;
grant insert, select on roster_upload_warnings to tidings_app;
grant delete, insert, select, update on roster_upload_warnings to tidings_pipeline;
grant delete, insert, select, update on roster_uploads to tidings_app;
grant delete, insert, select, update on roster_uploads to tidings_pipeline;
grant usage on roster_uploads_id_seq to tidings_app;
grant usage on roster_uploads_id_seq to tidings_pipeline;
grant delete, insert, select, update on saved_filters to tidings_app;
grant delete, insert, select, update on saved_filters to tidings_pipeline;
grant usage on saved_filters_id_seq to tidings_app;
grant usage on saved_filters_id_seq to tidings_pipeline;
grant usage on schema tidings to tidings_app;
grant usage on schema tidings to tidings_pipeline;
grant delete, insert, select, update on scim_tokens to tidings_app;
grant delete, insert, select, update on scim_tokens to tidings_pipeline;
grant usage on scim_tokens_id_seq to tidings_app;
grant usage on scim_tokens_id_seq to tidings_pipeline;
grant delete, insert, select, update on search_preferences to tidings_app;
grant delete, insert, select, update on search_preferences to tidings_pipeline;
grant delete, insert, select, update on sessions to tidings_app;
grant delete, insert, select, update on sessions to tidings_pipeline;
grant delete, insert, select, update on shared_filter_uses to tidings_app;
grant delete, select on shared_filter_uses to tidings_pipeline;
grant delete, insert, select, update on shared_stays to tidings_pipeline;
grant delete, insert, select, update on sign_in_challenges to tidings_app;
grant delete, insert, select, update on sign_in_challenges to tidings_pipeline;
grant delete, insert, select, update on sign_in_places to tidings_app;
grant delete, insert, select, update on sign_in_places to tidings_pipeline;
grant select on source_patients to tidings_app;
grant delete, insert, select, update on source_patients to tidings_pipeline;
grant usage on source_patients_id_seq to tidings_app;
grant usage on source_patients_id_seq to tidings_pipeline;
grant delete, insert, select, update on sso_connections to tidings_app;
grant delete, insert, select, update on sso_connections to tidings_pipeline;
grant usage on sso_connections_id_seq to tidings_app;
grant usage on sso_connections_id_seq to tidings_pipeline;
grant delete, insert, select, update on started_messages to tidings_pipeline;
grant delete, insert, select, update on started_uploads to tidings_pipeline;
grant insert, select, update (seen_until) on stay_views to tidings_app;
grant delete, insert, select, update on stay_views to tidings_pipeline;
grant insert, select, update (change_id), update (owner), update (owner_id), update (wait) on stay_work to tidings_app;
grant select on stay_work to tidings_pipeline;
grant insert, select on stay_work_changes to tidings_app;
grant select on stay_work_changes to tidings_pipeline;
grant usage on stay_work_changes_id_seq to tidings_app;
grant usage on stay_work_changes_id_seq to tidings_pipeline;
grant usage on stay_work_id_seq to tidings_app;
grant usage on stay_work_id_seq to tidings_pipeline;
grant insert, select on tags to tidings_app;
grant insert, select on tags to tidings_pipeline;
grant usage on tags_id_seq to tidings_app;
grant usage on tags_id_seq to tidings_pipeline;
grant delete, insert, select, update on team_groups to tidings_app;
grant delete, insert, select, update on team_groups to tidings_pipeline;
grant insert, select, update on teams to tidings_app;
grant delete, insert, select, update on teams to tidings_pipeline;
grant usage on teams_id_seq to tidings_app;
grant usage on teams_id_seq to tidings_pipeline;
grant delete, insert, select on text_opt_outs to tidings_pipeline;
grant insert, select on three_day_waivers to tidings_app;
grant insert, select on three_day_waivers to tidings_pipeline;
grant usage on three_day_waivers_id_seq to tidings_app;
grant usage on three_day_waivers_id_seq to tidings_pipeline;
grant select on unknown_sender_days to tidings_app;
grant delete, insert, select, update on unknown_sender_days to tidings_pipeline;
grant insert on usage_events to tidings_app;
grant delete, insert, select, update on usage_events to tidings_pipeline;
grant usage on usage_events_id_seq to tidings_app;
grant usage on usage_events_id_seq to tidings_pipeline;
grant delete, insert, select, update on used_assertions to tidings_app;
grant delete, insert, select, update on used_assertions to tidings_pipeline;
grant insert (activated_at), insert (application_experience), insert (created_at), insert (current_login_at), insert (default_team_id), insert (disabled_at), insert (external_id), insert (first_login_at), insert (first_name), insert (guesses_since_owner_acted), insert (invited_by), insert (last_activation_email_at), insert (last_name), insert (mfa_last_step), insert (mfa_opted_in), insert (mfa_secret), insert (notification_phone), insert (organization_id), insert (password_changed_at), insert (password_hash), insert (preferences), insert (previous_login_at), insert (primary_clinical_setting), insert (sso_connection_id), insert (sso_subject), insert (successful_logins), insert (title), insert (user_type_title), insert (username), select, update (activated_at), update (application_experience), update (appointed_at), update (appointed_by), update (created_at), update (current_login_at), update (default_team_id), update (deprovisioned_at), update (disabled_at), update (external_id), update (first_login_at), update (first_name), update (guesses_since_owner_acted), update (last_activation_email_at), update (last_name), update (mfa_last_step), update (mfa_opted_in), update (mfa_secret), update (notification_phone), update (password_changed_at), update (password_hash), update (preferences), update (previous_login_at), update (primary_clinical_setting), update (sso_connection_id), update (sso_subject), update (successful_logins), update (title), update (user_type_title) on users to tidings_app;
grant delete, insert, select, update on users to tidings_pipeline;
grant usage on users_id_seq to tidings_app;
grant usage on users_id_seq to tidings_pipeline;

alter default privileges for role tidings_owner revoke execute on functions from public;

comment on column access_requests.asked_from is 'The address that the request came from (of IPv6, the /64), until it is decided; null for requests from before it was stored.';
comment on column audit_entries.address is 'The caller''s IP address; null for entries that no call wrote.';
comment on column audit_entries.detail is 'asked: the parameters, with a keyed hash in place of each text. answered: totals and ids. Administrative changes: what each value was and became.';
comment on column audit_entries.in_log is 'Whether administrators see the entry in their audit log.';
comment on column audit_entries.organization_id is 'Whose audit log has the entry. Null: only the operators''. Set by a trigger, and not part of the seals.';
comment on column audit_entries.patient_ids is 'The roster patients whose data the answer showed.';
comment on column audit_entries.route is 'The call, as the contract names it.';
comment on column audit_entries.status is 'The HTTP status of the answer; null where the action itself wrote the entry.';
comment on column audit_seals.digest is 'SHA-256 of the entries.';
comment on column audit_seals.first_id is 'One more than the last id of the seal before. Ids between that no entry has belong to transactions that were rolled back.';
comment on column audit_seals.hash is 'SHA-256 of the hash before it and this row. It stays verifiable after the entries have been dropped.';
comment on column audit_seals.id is '1, 2, 3 and so on, without gaps.';
comment on column audit_seals.key_hash is 'SHA-256 of the key in audit_keys when the seal was made. Null: made before there was this column.';
comment on column blocking_entries.sketch is 'See server/record/scoring/sketch.ts. Null: an earlier version stored the keys.';
comment on column care_files.content_type is 'As its first bytes say.';
comment on column care_files.size is 'Bytes.';
comment on column care_instructions.instruction_order is '1, 2, 3 and so on within a patient, group and kind.';
comment on column care_instructions.roster_patient_id is 'As in care_team_records.';
comment on column care_team_records.content is 'The care plan of this program. Only the group''s own users with canViewCarePlans read it.';
comment on column care_team_records.is_called_first is 'Whom to call first, by the group that entered it: at most one record of a patient and group.';
comment on column care_team_records.roster_patient_id is 'A listing of the patient by the group, so that the record follows the listing if it is linked to another person.';
comment on column consents.expires_on is 'The last day of the consent, in the facility''s time zone; null if it has none. A job ends it afterwards.';
comment on column consents.recorded_by is 'The user at the facility who recorded the consent.';
comment on column consents.roster_patient_id is 'The facility''s listing of the patient who consented. If it is linked to another person, the consent is that person''s.';
comment on column contact_attempts.display_name is 'The name of the user at that time.';
comment on column contact_attempts.roster_patient_id is 'A listing of the patient by one of the team''s groups, so that the attempt follows the listing if it is linked to another person.';
comment on column custom_spotlights.has_filter is 'Whether it was kept with a filter. Without that filter it is not read: it would count other people.';
comment on column demo_region.is_complete is 'Whether the seeding ended. Until then the next start deletes the database and begins again.';
comment on column devices.name is 'Browser and operating system, shown to the user who resets a password.';
comment on column document_contents.model is 'What was read from a clinical document: clinicalDocument of contract/clinical-documents.ts as JSON, compressed. Null for another document, and for one that cannot be read.';
comment on column document_contents.problem is 'Why a clinical document cannot be read, for its sender. Holds nothing of the document.';
comment on column document_contents.size is 'Bytes, before compression.';
comment on column document_tokens.ending is 'The last four characters, by which people tell tokens apart.';
comment on column document_tokens.expires_at is 'Set when another token takes its place.';
comment on column documents.act is 'What the message does: NEW also for a new version under the same number. A CANCEL has no content.';
comment on column documents.document_number is 'TXA-12, the filler order with OBX-3, or the id of a C-CDA document.';
comment on column documents.file_id is 'The file within a C-CDA document (nonXMLBody).';
comment on column documents.group_id is 'The facility that sent it.';
comment on column documents.is_restricted is 'Its sender marked it as restricted (confidentialityCode R or V, TXA-18): disclosed only with a consent, as by a 42 CFR Part 2 facility.';
comment on column documents.parent_number is 'The document that this one replaces or adds to (TXA-13, relatedDocument).';
comment on column documents.person_id is 'Copied from the source patient; written with it (server/record/matching/write-links.ts).';
comment on column documents.sent_at is 'When the message was sent, else received: a later message about the same number takes the place of an earlier one.';
comment on column documents.source_patient_id is 'Copied from the fact, whenever the dossier is settled. Null until then.';
comment on column documents.uploaded_by is 'The name that whoever uploaded it by a link typed; null for a document that a system sent. Never stands before what a system sent.';
comment on column documents.uploaded_for is 'The organization whose link it came by; null for a document that a system sent, and for uploads from before it was stored.';
comment on column documents.visit_day is 'The day of admission that the document names, at the facility.';
comment on column documents.written is 'When it was written, as the document says.';
comment on column documents.written_at is 'When it was written, else when it was received: for the order.';
comment on column doubtful_links.outcome is 'What this version would do instead: link someone else, ask a person, or nothing.';
comment on column email_domains.token is 'Published in the TXT record that verifies the domain.';
comment on column emergency_accesses.facility_group_ids is 'The facilities whose visits were opened; their administrators were mailed.';
comment on column emergency_accesses.is_medical_emergency is 'Opens visits at 42 CFR Part 2 facilities too (42 CFR 2.51).';
comment on column emergency_accesses.roster_patient_id is 'The listing of the patient by one of the team''s groups.';
comment on column encounters.state is 'The folded visit: attending, location, diagnoses, payers, flags …';
comment on column exchange_links.fields is 'The fields of the form: names, and values with placeholders such as {lastName}.';
comment on column exchange_links.states is 'Of WISHIN Pulse: states of the patients whom it is offered for.';
comment on column export_jobs.attempt is 'How often it was started. Only chunks of the last attempt are part of the file.';
comment on column export_jobs.group_ids is 'The groups that the file was made for. Whoever downloads it must still hold the permission for each of them.';
comment on column export_jobs.has_part2 is 'The file has records of 42 CFR Part 2 facilities, so it is withheld once a consent for one of its groups ends.';
comment on column export_jobs.held is 'For each permission that a column needs, the groups for which the user held it when the data was read.';
comment on column export_jobs.keys is 'The rows of a list in their order, as its filters found them when the export was started.';
comment on column export_jobs.part2_group_ids is 'The 42 CFR Part 2 facilities when the data was read.';
comment on column export_jobs.read_at is 'When its data was read.';
comment on column facility_links.about is 'The content hash of the fact by which the visit is found, whatever merges and moves happen later; about_message_id is its message.';
comment on column facility_links.expired_at is 'When it was recorded that the link expired unused.';
comment on column facility_links.file is 'The uploaded file, until its message is stored. Not readable by people: what came of it is a document.';
comment on column facility_links.message_id is 'The stored message with the answer; null until it is stored. retraction_id: the one that takes it back.';
comment on column facility_links.recipient is 'The email address that the link was sent to; null if it was copied.';
comment on column facility_links.token_hash is 'SHA-256 of the token, which only its link has.';
comment on column facility_links.tries is 'Birth dates that were wrong, or are being compared: each is counted before it is compared. wrong: those that were.';
comment on column facts.shared_feed_id is 'The feed, if it sent for several facilities. What the fact says about the patient then counts at all of them that share the record number.';
comment on column feed_facilities.identifier is 'PV1-3.4, EVN-7 or MSH-4 as the feed sends it; ''*'' for any other.';
comment on column feed_facilities.registration_is_visit is 'Whether the registration of an outpatient (A04) is sent as VISIT. Otherwise it causes no event.';
comment on column feeds.approved_at is 'When an operator approved the sender. Until then no message belongs to the feed.';
comment on column feeds.approved_by is 'Null for feeds that are older than approvals.';
comment on column feeds.asked_by is 'Who last asked an operator to approve a sender; null if no one has.';
comment on column feeds.ended_at is 'New messages no longer belong to the feed. Its facilities are kept, because they determine who may see what it sent.';
comment on column feeds.paused_at is 'Messages since then are held in quarantine, and processed when the feed is resumed.';
comment on column feeds.proposal is 'The sender and facilities that an administrator asked for. An operator approves them; until then those of the feed stay in force.';
comment on column feeds.sending_application is 'MSH-3 of the feed''s messages; null for any.';
comment on column feeds.sending_facility is 'MSH-4 of the feed''s messages; null for any.';
comment on column feeds.silent_since is 'When the last message came, while a job finds the silence since then unusual; otherwise null.';
comment on column grants.is_provisioned is 'It follows from provider_group_access, and goes when the membership does.';
comment on column groups.approved_at is 'When an operator approved that the group lists people: a program by rosters, a facility by manual entry. Until then it lists no one in that way.';
comment on column groups.approved_by is 'Null for groups that are older than approvals.';
comment on column groups.asked_by is 'Who last asked an operator to approve manual entry at the facility; null if no one has.';
comment on column groups.ended_at is 'No one can be granted the group or listed there any more. What it was sent is kept.';
comment on column held_patients.admitted_at is 'When an admission at the facility ended the hold.';
comment on column held_patients.checked_at is 'When the matcher was last asked.';
comment on column held_patients.person_id is 'Whom the matcher linked without review when it was last asked; null if nobody. Never shown, and checked again before anything about the person is.';
comment on column hl7_programs.diagnosis_codes is 'ICD-10-CM codes or their beginnings, in capitals; null where the diagnosis does not matter.';
comment on column hl7_programs.payer is 'Its words have to be in the first payer of the stay.';
comment on column hl7_programs.principal_only is 'Only the first diagnosis of the stay counts.';
comment on column hl7_programs.validity_days is 'How long an enrollment lasts; the day of discharge is the first.';
comment on column list_snapshots.family_names is 'Shares by normalized family name, as given_names.';
comment on column list_snapshots.given_names is 'Shares by normalized given name, of names that at least 20 people have and that are more common than in the United States.';
comment on column list_snapshots.housemates is 'How many others of the same home are listed beside someone listed, in the mean, rounded to the careful side.';
comment on column list_snapshots.people is 'How many people were counted.';
comment on column list_snapshots.persons is 'How many people were known, listed or not; 0 if that was not counted. The matcher takes 100,000 for the fewest.';
comment on column management_statuses.display_name is 'The name of the user at that time; null for the system, and in records from before it was kept.';
comment on column management_statuses.user_id is 'Null if the system resolved the ping.';
comment on column match_reviews.digest is 'Changes with the evidence. Salted, so that it reveals no evidence.';
comment on column match_reviews.likelihood is 'How likely it is that the first candidate is the person, in bits; 0 if something speaks against it.';
comment on column matcher_runs.after_id is 'The last row of the step that is done; with after_likelihood for reviews, the likeliest of which come first.';
comment on column message_dismissals.display_name is 'The name of the user at that time.';
comment on column messages.sender is 'Whose turn the message takes in the queue: the feed of its sender when it was stored, 0 if there was none, -1 for manual entries and jobs. Which feed a message belongs to is feed_id.';
comment on column notification_matches.to_correct_since is 'Since when a correction waits to be sent.';
comment on column notification_matches.told is 'A digest of what the event said when the user was last notified. Null if that was before it was kept: then the state decides.';
comment on column notification_matches.told_state is 'The state of the ping of which the user was last notified.';
comment on column notification_preferences.active_since is 'Since when it notifies: earlier pings are nothing new.';
comment on column notification_preferences.digest_hour is 'The local hour of the daily digest, in the user''s time zone.';
comment on column notifications.corrects is 'The notification that this one corrects.';
comment on column notifications.opens_documents is 'The link opens the documents of the patient, not the patient.';
comment on column notifications.patient_id is 'Of a correction of one ping, and of a document: the listing and the encounter that its link opens, as in the URL of a patient.';
comment on column notifications.uuid is 'In the link of the message: it says which list to open.';
comment on column organizations.added_holidays is 'Weekdays on which the organization is closed, besides the federal holidays.';
comment on column organizations.allows_emergency_access is 'Whether users elsewhere who list a patient may open the patient''s visits at this organization''s facilities in an emergency.';
comment on column organizations.embedded_spotlights is 'Its https address, at a host that the installation allows (TIDINGS_EMBED_HOSTS).';
comment on column organizations.inactivity_minutes is 'Minutes without activity after which a session ends, if fewer than 40.';
comment on column organizations.removed_holidays is 'Federal holidays on which it works.';
comment on column organizations.requires_second_factor is 'Everyone who signs in with a password needs two-step verification or a passkey.';
comment on column organizations.requires_sso is 'Nobody but operators signs in with a password or a passkey.';
comment on column organizations.rising_risk_rule is 'Its numbers (contract/rising-risk.ts); null where the product''s own hold.';
comment on column organizations.session_hours is 'Hours after which a session ends, if fewer than the installation allows.';
comment on column outbox.failure is 'Why the last attempt failed, or why the letter was suppressed: an SMTP reply code, an HTTP status, an error of the network, or a word of ours.';
comment on column outbox.once_key is 'The same for a letter that is queued twice. A letter with a key is sent once or not at all; one without it, such as a link that its reader waits for, may be sent twice.';
comment on column outbox.state is 'queued: to be sent, also again after a failure. sending: an attempt has begun; if its process ends, nobody knows whether the letter went out. failed: not tried again. suppressed: not sent, because it must not or can not reach its reader.';
comment on column outbox.topic is 'What the letter is about. The user sees those that are not about the account in a list of deliveries.';
comment on column outpatient_codes.long_stays is 'Discharges from a bed, hours after the arrival.';
comment on column outpatient_codes.month is 'The first day of the month, in UTC, in which the messages were processed.';
comment on column page_uses.day is 'The day in the time zone of the browser.';
comment on column page_uses.team_id is 'The selected team; null where it was not recorded, as before this table existed.';
comment on column patient_tags.roster_patient_id is 'A listing of the patient by one of the team''s groups, so that the tag follows the listing if it is linked to another person.';
comment on column pings.is_current is 'The newest ping of its encounter, person and group; an active one goes before a retracted one.';
comment on column rebuild_runs.unread is 'Messages that would give no facts today, and keep those that they gave.';
comment on column right_uses.sign is 'The route of a call, or the location of a page. contract/right-uses.ts has the permissions that each shows.';
comment on column roster_headers.header_key is 'The header in small letters and digits only.';
comment on column roster_patients.attested_by is 'Who uploaded or entered the row. They do not decide reviews about it.';
comment on column roster_patients.care_coordinator_titles is 'In the order of care_coordinators, '''' where there is none; so are the other columns of care coordinators. Empty: none has a title.';
comment on column roster_patients.leaves_at is 'A facility''s own listing ends 90 days after the last discharge. A job then sets left_at.';
comment on column roster_patients.opens_from is 'The listing opens visits that are open or ended at this time or later, and none before.';
comment on column roster_patients.provider_direct_message is 'An address for Direct secure messaging.';
comment on column roster_patients.relationship is 'As attested for the upload or the manual entry that wrote the row. Null: reported by a feed, or listed before it was asked for.';
comment on column roster_patients.sound_last is 'A code shared by family names that sound alike; empty if the name has no letters, and then there is no warning about similar names.';
comment on column roster_patients.upload_id is 'The roster upload that wrote the row last; null for a facility''s own listing.';
comment on column roster_upload_before.cells is 'As a row of a file; null for a listing that was removed, which still has its values.';
comment on column roster_upload_before.written_by is 'The upload that had written the listing.';
comment on column roster_upload_changes.listing_id is 'The listing that it changes or removes; null for a new one.';
comment on column roster_upload_changes.row_number is 'The row of the file; null for a patient whom the file does not name.';
comment on column roster_upload_rows.cells is 'Null if the row says what is listed: nothing else changes the list while the upload is there.';
comment on column roster_uploads.applied_at is 'When the roster was replaced. Until finished_at, new and changed rows are being identified; the rows still to do are in roster_upload_rows, after identified_row.';
comment on column roster_uploads.decided_by is 'Username of who confirmed or canceled the upload last; null if no one did.';
comment on column roster_uploads.encoding is 'How the bytes of the file were read; null for an undo, a file that could not be read, and uploads from before.';
comment on column roster_uploads.garbled_cells is 'Cells that were probably written in another encoding. Other cells of such a file may be wrong without a warning.';
comment on column roster_uploads.has_day_first is 'Whether the dates of birth were read as DD/MM/YYYY.';
comment on column roster_uploads.identified_row is 'The last row of the file that has been identified; those after it are still to do.';
comment on column roster_uploads.is_previewed is 'Whether someone confirms the upload after its preview, whatever it changes: so it is for files uploaded on the page.';
comment on column roster_uploads.listed_before is 'How many people the roster listed when the file was checked.';
comment on column roster_uploads.matched_rows is 'How many new and changed rows have been identified since the roster was replaced.';
comment on column roster_uploads.receiving_until is 'While RECEIVING: renewed as the file arrives. Afterwards the process that received it is dead, and the upload may be removed.';
comment on column roster_uploads.relationship is 'The relationship with the people in the file that the uploader attested. Null: uploaded before it was asked for.';
comment on column roster_uploads.undoes is 'The upload that this one undoes: it has no file, and restores the list from before that upload.';
comment on column roster_uploads.unplaced_rows is 'Rows with an unusable member id whose person is not listed. If such an upload would remove people, it needs a confirmation.';
comment on column roster_uploads.uploader_name is 'The name of the user; null where the account is gone, and the username is shown.';
comment on column roster_uploads.waits_for is 'Who has to act while the status is AWAITING_CONFIRMATION: an operator, or the uploader''s team.';
comment on column roster_uploads.waits_until is 'When an upload that waits for its team is canceled. Null: it waits for an operator, or for no one.';
comment on column saved_filters.last_used_at is 'When a list was last opened with the filter.';
comment on column saved_filters.parameters is 'Search parameters as saved. Parameters that a newer version no longer knows are ignored when they are read.';
comment on column saved_filters.shared_at is 'Since when the whole team sees and uses the filter; null for the owner''s alone.';
comment on column scim_tokens.ending is 'The last four characters, by which people tell tokens apart.';
comment on column sessions.address is 'Address of the browser at sign-in, shown to the user only.';
comment on column sessions.launch_connection_id is 'The connection of the EHR that launched the session, which alone may show its pages in a frame.';
comment on column sessions.must_change_password is 'The session began with an expired password. It allows only changing the password, loading the current user and signing out.';
comment on column sessions.must_enroll is 'Policy requires a second factor that the account doesn''t have: only setting one up and signing out are open.';
comment on column sessions.patient_id is 'The patient that was open in the EHR when it launched the session.';
comment on column sessions.verified_at is 'When the user last proved their identity in this session: at sign-in, or when asked again before a change of a factor.';
comment on column sign_in_challenges.user_id is 'Whose step it is. For a single sign-on: the administrator who tests the connection; null for a real one.';
comment on column sign_in_places.account is 'Hash of the username, whether or not such a user exists, so that a lock does not reveal which usernames exist.';
comment on column sign_in_places.place is 'Hash of a known device; empty for all unknown devices together.';
comment on column source_patients.apart_from is 'The source patient who had the record number before, if this one has visits under it: the demographics contradict each other, so only a person may link this one.';
comment on column source_patients.merge_held is 'The source patient into whom the facility merged this one, while that waits for a decision because their demographics contradict each other.';
comment on column sso_connections.client_secret is 'Encrypted.';
comment on column sso_connections.key is 'Identifies the connection in URLs without revealing the organization.';
comment on column sso_connections.new_user_team_id is 'Where someone without an account gets access at the first sign-in. Null, also of the role: they are refused.';
comment on column sso_connections.tested_at is 'When someone of the organization last signed in through the identity provider as it is set up now. Without it, the connection cannot be enabled.';
comment on column started_messages.alone is 'How often the message was started by itself. After three starts without an end it is quarantined.';
comment on column stay_work.change_id is 'The last change: what a caller must have seen to make another one.';
comment on column stay_work.owner is 'The name of the user who has taken it, since when, and the name of who gave it to them.';
comment on column stay_work.wait is 'The day and time that end the wait, or none; the events that were known when it began, since any other one ends it; who set it, and when.';
comment on column stay_work_changes.before is 'Owner, with the user''s id, and wait, as in stay_work.';
comment on column stay_work_changes.display_name is 'The name of the user at that time.';
comment on column team_groups.gives_access is 'Whether what a provider''s group or a first sign-in gives on the team counts for this group. False on the team that reopened it, until another administrator confirms.';
comment on column three_day_waivers.confirmed is 'Conditions that the user confirmed, because no message proves them.';
comment on column three_day_waivers.group_id is 'The group for which the user changed it. Others see its name instead of the user''s.';
comment on column users.appointed_by is 'Who gave this user canManageUsers when they held it for no group. They do not confirm that administrator''s requests for 90 days.';
comment on column users.deprovisioned_at is 'When the identity provider deleted the account, which is then disabled and without access.';
comment on column users.external_id is 'The id that the identity provider sent by SCIM.';
comment on column users.guesses_since_owner_acted is 'Wrong passwords from any place since the owner last signed in or unlocked the account. After 100, no more are checked.';
comment on column users.invited_by is 'The administrator who created the account. Null: created by an operator''s tools, or before it was recorded.';
comment on column users.mfa_secret is 'Secret of the confirmed authenticator app, encrypted. mfa_last_step is the newest time step used, so that no code works twice.';
comment on function acting_team() is 'The team whose own rows the current transaction may see. Null unless the server sets it.';
comment on function acting_user() is 'The user whose private rows the current transaction may see. Null unless the server sets it.';
comment on function acts_for(text) is 'Whether the current transaction runs for this purpose instead of for a user.';
comment on function administers(bigint) is 'Whether the current transaction administers this organization. An operator''s administers every one.';
comment on function administers_everything() is 'Whether the current transaction is an operator''s.';
comment on function administers_organization_of(bigint) is 'Whether the acting user may manage users where this user belongs, or everywhere.';
comment on function administers_team() is 'Whether the acting user manages users of the acting team.';
comment on function analyze_grown_tables() is 'Updates the statistics of tables that messages fill and that have doubled since: only their owner may.';
comment on function analyze_identities() is 'Updates the statistics of the matcher''s index after a large roster: only their owner may.';
comment on function analyze_listings() is 'Updates the statistics of listings after a large roster: only their owner may.';
comment on function asked_persons() is 'The persons whom the current transaction reads, if it says so. It may see only those whom its groups list.';
comment on function audit_key() is 'The key of the hashes in audit_entries, for the process that writes them.';
comment on function audit_key_hash() is 'SHA-256 of the key of the hashes in audit_entries, for the seals.';
comment on function care_listings(bigint) is 'The listings of a person by any group, for groups that list the person too or did. Ids only: whether what is written about a listing is shared is decided by shares_care.';
comment on function close_filter_gap() is 'Moves up the later filters of an owner whose shared filter an administrator deleted.';
comment on function colleagues_using_shared_filters() is 'How many others on the acting team own, have used, open lists with or are notified by each filter that it shares.';
comment on function create_user_at_sign_in(bigint,text,text,text,text,timestamp with time zone) is 'Makes an account for someone whom an identity provider has signed in, as the rule of the connection says; null if it says nothing, if the address is in no verified domain, or if there is an account. Nobody is signed in yet, so the app role may not.';
comment on function current_candidates(text,bigint,jsonb) is 'The candidates whom a facility knows or a roster lists now, and who are not the subject''s person already, unless the record number itself is in question (R22). None if the subject is a roster row that ended. Runs as its owner, so that reviewers count the same reviews as they see.';
comment on function current_emergencies() is 'The emergency accesses of the acting user that are in force. Null unless the server sets them.';
comment on function current_groups() is 'The groups whose rows the current transaction may see. None unless the server sets them.';
comment on function death_of_held(bigint) is 'Whether the person whom a facility holds was reported as dead, as far as the facility may see the visits, and the programs'' listings of that person. The caller checks that the hold has not expired.';
comment on function document_message_outcome(bigint,bigint) is 'What became of a document that a feed sent.';
comment on function drop_partitions(text,date) is 'Drops the months that ended before a day, and returns their names. Keeps months with messages in quarantine.';
comment on function emergencies_at(bigint[]) is 'The latest emergency accesses that opened visits at these facilities, with the reader''s organization but no user, and the patient as these facilities list them. The caller checks who may ask.';
comment on function ensure_partitions(date,date) is 'Creates the monthly partitions between two days. Called at startup and daily, always months ahead.';
comment on function evidence_of_visit(bigint) is 'Why a visit''s record is linked to its person, as levels of agreement, for administrators of the facility and operators. Only of a record from a feed, as links_of.';
comment on function feed_health(bigint,timestamp with time zone) is 'Counts for the list of feeds, which also shows feeds whose messages the administrator may not read.';
comment on function forget_unshared() is 'Ends what others had set for a filter that is no longer shared.';
comment on function has_opted_out(bigint) is 'Whether the acting user''s own number wants no text messages.';
comment on function heard_by_another_feed(bigint,bigint,timestamp with time zone) is 'Whether a message about the facility came after this time by another feed than this one.';
comment on function kind_of_connection(bigint) is 'How a user signs in, without the connection''s secret.';
comment on function link_of_visit(bigint,bigint) is 'How the record of a visit and a listing that got a ping of it came to be one person: the newer of their links. A colleague who decided is named.';
comment on function links_of(bigint) is 'Why records of the acting administrator''s own facilities are linked to a person: levels of agreement, never values. Only of records from a feed: about a patient whom a user composed, each field''s agreement would answer a guess.';
comment on function listings_of_held(bigint) is 'The programs'' current listings of the person who is held, for the groups of the transaction. The caller checks that the hold has not expired.';
comment on function log_feed_state() is 'Logs that some feed fell silent, was heard again, paused, resumed or removed.';
comment on function log_hl7_program() is 'Logs a change of a program for each group of the organization''s teams.';
comment on function log_holidays() is 'Logs a change of the calendar for each group of the organization.';
comment on function log_patient_viewers() is 'Logs of which persons the viewers changed. Saying again that a patient is open is no change.';
comment on function log_persons(bigint[],bigint[]) is 'Logs that data of these persons changed, each at the facility in the same place of the other array.';
comment on function log_rising_risk_rule() is 'Logs a change of the rule for each group of the organization''s teams.';
comment on function log_rows_of_own_listings() is 'Logs changes of what a team or group keeps about its own listings.';
comment on function log_stay_work() is 'Logs changes of who has taken a visit, and of waits.';
comment on function look_up_held(bigint,timestamp with time zone) is 'What a facility sees of the person whom it holds: a death, programs, instructions for an admission, care team and visits since then. What a 42 CFR Part 2 facility reported needs a consent for this facility. The caller checks that the match is automatic now and that the hold has not expired.';
comment on function managed_feeds() is 'The feeds of which the acting administrator manages every facility.';
comment on function managed_groups() is 'The groups that the acting administrator manages, in any team. None unless the transaction administers.';
comment on function messages_of_event(bigint) is 'The messages about the visit of an event that one of the transaction''s groups was pinged about, without payers and numbers. The caller checks who may read the visit.';
comment on function move_consents() is 'Keeps consents with the listing of the patient who gave them.';
comment on function name_of_user(bigint) is 'For the author of a change, who may be an operator of another organization.';
comment on function note_text_reply(text,boolean,timestamp with time zone) is 'Notes that a number wants no text messages, or wants them again. The gateway''s signed calls act for no user.';
comment on function notices_of_event(bigint,bigint) is 'The emails and texts to users of the acting team about the pings of an event. The caller has checked that the team may read them.';
comment on function organization_of_entry(bigint,text,text,bigint) is 'The organization that an audit entry is about, or else the one of the user who acted.';
comment on function organization_signs_in(bigint,text,text) is 'Whether the organization has a connection for such a user. Users may not read the connections.';
comment on function organizations_of_held(bigint) is 'The organizations that list the person who is held.';
comment on function owners_of_shared_filters() is 'Who owns the filters that the acting team shares, and whether they are still on the team.';
comment on function owners_of_shared_spotlights() is 'Who keeps the spotlights that the acting team shares.';
comment on function pass_on_stays(bigint,bigint,jsonb,text,timestamp with time zone) is 'Gives all stays that a user has taken on a team to someone else, or with null to no one. Returns their visits. Who may be given them is checked by the caller.';
comment on function patient_accesses(bigint,bigint,integer,integer) is 'Audit entries about the person of a roster patient or about messages that were applied to the person, and openings of that person''s visits elsewhere, newest first, by the teams, users and groups of an organization, or of all. They hold ids and addresses only. The caller checks who may ask.';
comment on function patients_of_message(bigint) is 'Roster patients whom a message is about, for the audit log. The caller checks who may see the message.';
comment on function phones_of(bigint) is 'The phone numbers of a person, from the current listings of the transaction''s groups and those that are shared with them, as programs_of.';
comment on function post_letter(text,text,text,text,timestamp with time zone,text,integer) is 'Queues a letter. Letters contain links, so the app role cannot read them back.';
comment on function programs_of(bigint) is 'The programs of a person, from the current listings of the transaction''s groups and those that are shared with them.';
comment on function readers_elsewhere(bigint,bigint) is 'The organizations other than this one whose teams have read the record of the person of a roster patient, without their users and without teams of 42 CFR Part 2 facilities. The caller checks who may ask.';
comment on function readers_of_visit(bigint,timestamp with time zone) is 'Who on the acting team has opened a visit since then, as the audit log has it.';
comment on function reads_usage(bigint) is 'Whether the current transaction reads the report of page use of this organization. An operator''s reads every one.';
comment on function record_part2_lifted(bigint,bigint,timestamp with time zone) is 'Records whom the end of a facility''s 42 CFR Part 2 mark lets read its visits, as server/people/access/policy.ts decides it. Only for operators.';
comment on function rename_user_of_connection(bigint,bigint,text) is 'Gives an account another address in a verified domain of its connection. The app role may not rename accounts in any other way.';
comment on function shares_care(bigint) is 'Whether what is written about this listing is shared with the transaction''s groups: they list the person now, or the person is at their facility. What a 42 CFR Part 2 facility writes is never shared.';
comment on function stays_taken_by(bigint[]) is 'How many stays these users have taken on each team, and how many of them have an open ping of the team. Numbers only: who the patients are is not for whoever manages users.';
comment on function team_colleagues() is 'The active users who may see pings on the acting team, by id and name: a visit can be given to them.';
comment on function use_feed_token(bytea,text,timestamp with time zone) is 'The feed of a token that is valid, and what its messages name as their sender. The caller is a system without an account, so no row is visible to it.';
comment on function use_scim_token(bytea,timestamp with time zone) is 'The connection of a token that is valid. The caller is a system without an account, so no row is visible to it.';
comment on function users_of_usage() is 'Who is named in the report of page use, without anything else of their accounts.';
comment on function visits_of_held(bigint) is 'All visits that a facility may see of the person whom it holds, however old. Those at a 42 CFR Part 2 facility need a consent for this facility.';
comment on function was_mailed(text,text,timestamp with time zone) is 'Whether this letter was queued since then, so that strangers cannot flood a mailbox.';
comment on table audit_entries is 'Who asked for, saw or changed what. Entries are only ever added; audit_seals shows whether one was changed or removed later.';
comment on table audit_keys is 'One row: the key of the hashes in audit_entries. Without it, a copy of the entries cannot be searched for a name.';
comment on table audit_seals is 'A chain over the batches of audit_entries. Changing, removing or adding an entry of a batch breaks its seal.';
comment on table blocking_entries is 'Each subject''s keys in blocking_keys, and its sketch, which shows without reading the record that most of those who share a key are strangers. Patient data, as the keys are.';
comment on table blocking_keys is 'By which keys a subject is found. The subject is the id of a row in roster_patients, or minus that of one in source_patients.';
comment on table care_file_chunks is 'A file in parts, so that no statement holds all of it.';
comment on table care_files is 'The form of an instruction. A new upload replaces it.';
comment on table care_instructions is 'Admit and discharge care instructions, as a group entered them. Ended, not deleted.';
comment on table care_team_records is 'People of a patient''s care team, as a group entered them. Ended, not deleted.';
comment on table change_log is 'Keys of what changed, for readers that follow by snapshot. xid is the transaction that wrote the row.';
comment on table consents is '42 CFR Part 2: events of a Part 2 facility are sent only to recipients with a consent. Ended, not deleted.';
comment on table contact_attempts is 'When a team tried to reach a patient, how, and with what outcome. Removed ones stay on record.';
comment on table demo_region is 'One row if the demo region is in this database.';
comment on table devices is 'Browsers that a user has signed in from. Wrong passwords elsewhere do not lock them. token_hash covers the username, so people who share a browser have a row each.';
comment on table document_content_chunks is 'A content, compressed as a whole (zlib), in parts, so that no statement holds all of it.';
comment on table document_contents is 'The bytes of documents, each content once, however often and by whomever it was sent.';
comment on table document_tokens is 'Tokens of feeds whose systems post: documents (kind CCDA), and messages (kind FHIR).';
comment on table documents is 'A document in a message. Its patient is that of the fact of the message (facts), its visit is found by visit numbers, else by the day of admission.';
comment on table doubtful_links is 'Links of an earlier version of the matcher that this version would not make. They stay until a person decides. visits, pings, groups: what the link gave access to. evidence holds levels and vetoes, never values.';
comment on table email_domains is 'Email domains of organizations. Only verified ones route sign-ins and link users.';
comment on table emergency_accesses is 'Who opened visits in an emergency, why and until when. Rows are never changed.';
comment on table exchange_links is 'Where a patient''s record is opened at an exchange, by a form that the browser posts. The address has no placeholders, so that nothing about a patient is in a URL.';
comment on table export_chunks is 'The files of exports. A CSV file is stored as gzip members, one a chunk.';
comment on table export_jobs is 'Exports of a user: what was asked for, how far they are, and until when their file is kept.';
comment on table facility_hours is 'Messages about each facility of a feed for several, in each hour (UTC) of their receipt. Kept for 13 weeks before the facility''s last one.';
comment on table facility_links is 'Links for people at a facility without an account: one purpose, one stay, three wrong birth dates at most.';
comment on table facility_silences is 'Facilities that a job finds silent while their feed is not: when the last message about each came.';
comment on table feed_codes is 'Codes of a feed that its settings don''t map, with counts of messages. Codes only.';
comment on table feed_date_orders is 'How many messages had a date with the year last that can only be month/day (MDY) or day/month (DMY), or either. A message that is processed again counts again.';
comment on table feed_delays is 'How many messages of a feed arrived within so many minutes of their event; 0 for longer than a day. Days are those of the receipt, in UTC.';
comment on table feed_fields is 'How many arrivals and discharges of a feed should have had a field, and how many did not. Counts only.';
comment on table feed_hours is 'Messages of a feed in each hour (UTC), without duplicates. Kept for 13 weeks before its last one.';
comment on table held_patients is 'People whom a facility expects. Deleted rows, and those that expire without an admission, are gone.';
comment on table hl7_programs is 'Programs of an organization that enroll a patient with a discharge (contract/hl7-programs.ts). Its teams see who is enrolled. Ended, not deleted.';
comment on table identity_attempts is 'Details of people that a roster row replaced or a manual entry gave, hashed. keys: what stays the same while someone guesses the rest (server/record/scoring/guess-keys.ts); guesses: for each key, what would be guessed. Kept 30 days.';
comment on table labeled_pairs is 'What people decided about compared pairs, for the evaluation of the matcher. evidence holds levels and vetoes, never values. A row is never overwritten; an undone decision is marked.';
comment on table list_snapshots is 'What the installation''s own lists are like, for the matcher (docs/matching.md). Rows are never changed; the newest one counts.';
comment on table matcher_runs is 'Each change of the matcher''s version, and how far the job that follows it has come. The newest says which version blocking_keys are of.';
comment on table message_digests is 'The sender, the end of MSH-10, and SHA-256 of MSH-3, MSH-4, MSH-10 and the bytes, which detects a resent message. Kept longer than the message. Those of before version 0176 are only the hash.';
comment on table message_dismissals is 'Quarantined messages that someone dismissed: why, who, and what the quarantine said. A dismissal ends when it is undone or the message is replayed.';
comment on table messages is 'Every message as received, stored before it is acknowledged. lane is a hash of source and patient; a lane is processed in order.';
comment on table messages_archive is 'Settled messages, by month.';
comment on table messages_waiting is 'The queue. A message is written here first, and leaves for its month when it is settled; a replay brings it back. reason says why a message can''t be read at all.';
comment on table mllp_senders is 'Addresses from which messages of a feed came in the last 30 days, and since when (server/intake/mllp/known-senders.ts).';
comment on table notification_cursor is 'How far the job that notifies has read the change log (server/platform/changes/change-log.ts).';
comment on table notification_matches is 'New pings that match a saved filter, and the message that reported them; null while it waits.';
comment on table notification_preferences is 'How a user is notified of new pings that match a saved filter.';
comment on table notifications is 'Messages to users. Each goes out by email, text or both: its deliveries are in the outbox.';
comment on table outbox is 'Emails and text messages, written in the transaction that causes them and sent by a job. They contain no patient data. Bodies may contain tokens, so they are cleared once sent, except in a demo installation.';
comment on table outpatient_codes is 'How often the outpatients of a feed (by PV1-2) had a hospital service or patient type. Counts only.';
comment on table page_uses is 'How often a user opened a page, by team and day. No patient is named.';
comment on table patient_tags is 'Which patients a team has tagged.';
comment on table patient_viewers is 'Which users of a team have a patient open. A page says so every 15 seconds; what is older than 40 seconds has expired, and is deleted by the next call of the team or the daily job.';
comment on table pending_grants is 'Access that administrators asked for themselves; it takes effect once another administrator or an operator confirms it.';
comment on table person_links is 'Every link of a source patient or listing to a person, with its evidence. The newest is in force.';
comment on table persons is 'One row per human being, and nothing but identity. Demographics are kept with the source patients and listings that report them.';
comment on table provider_group_access is 'What members of a provider''s group may do: a role for every group of a team. Decided by administrators.';
comment on table provider_groups is 'Groups of an identity provider, as it sends them by SCIM.';
comment on table quiet_hours is 'When a user gets no notifications, by hours of the user''s time zone. They wait until it is over.';
comment on table rebuild_failures is 'Messages that a rebuild left as they were, and why: without anything from the message.';
comment on table rebuild_runs is 'Runs of npm run rebuild. At most one is under way; it goes on after after_message, up to last_message.';
comment on table record_openings is 'Written when a listing or a decided review makes visits of another organization readable; only ever added. An audit entry (record.open) names the rows that were written together, with a hash of them. user_id: who uploaded, entered or decided; null for a feed.';
comment on table right_uses is 'When a user last used what permissions allow, by team, to within ten minutes. Calls that open pages make by themselves do not count.';
comment on table roles is 'Named sets of permissions. organization_id is null for the standard roles, which every organization has.';
comment on table roster_headers is 'What a group''s own headers mean in its roster files (contract/roster-columns.ts); null: the column is ignored.';
comment on table roster_upload_before is 'The listings that an applied upload changed or removed, as they were before, while it can be undone. Those that it added are all others that it wrote.';
comment on table roster_upload_changes is 'What a waiting upload would change, numbered, so that any page of a preview is one range of the index. Deleted when the upload is applied or canceled.';
comment on table roster_upload_rows is 'The rows of a file until it is applied or canceled. Rows with errors are kept for the error report, without their cells.';
comment on table roster_upload_warnings is 'Cells of an upload that could not be read and were skipped, or that need a look, for its report. A table of its own, because applied rows are deleted.';
comment on table saved_filters is 'order_num is 1 to n without gaps for each user and team. Its constraint is deferrable, so that one statement may shift several rows.';
comment on table scim_tokens is 'Tokens with which an identity provider manages accounts. Only hashes are stored.';
comment on table shared_filter_uses is 'When a user last opened a list with a colleague''s shared filter.';
comment on table shared_stays is 'For feeds that send for several facilities: the facility and record number under which a stay, or a record number with its authority, was first reported. mark is a hash of what identifies it at all of them.';
comment on table sign_in_challenges is 'A sign-in step that a browser has begun but not finished, identified by the hash of a cookie or state. Used once, then deleted.';
comment on table source_patients is 'A patient as one facility knows them. dossier_id is the smallest id among the record numbers that merges and moves connect.';
comment on table started_messages is 'Messages whose processing has started and not ended. A row that no transaction is working on is left over from a thread or process that ended: such messages are processed one by one.';
comment on table started_uploads is 'Roster uploads with a step that has started and not ended. starts: how often; after three the upload fails.';
comment on table stay_views is 'Until when a user has seen the pings of a visit. Unread is per person; the status of a ping belongs to the team.';
comment on table stay_work is 'What a team has arranged about a visit: who has taken it, and whether it waits. Outlives the close of the visit.';
comment on table stay_work_changes is 'The history of stay_work: who gave what to whom, and when. Never changed.';
comment on table tags is 'The tags that a team has made.';
comment on table text_opt_outs is 'Phone numbers (E.164) that get no text messages about notifications, because their owner replied STOP.';
comment on table three_day_waivers is 'Every status that the waiver of a stay has had. The newest row counts; without one it is NA.';
comment on table unknown_sender_days is 'What each address without a feed stored on a day (UTC), of the last week, and how many of its frames were refused (server/intake/mllp/stored-budget.ts).';
comment on table used_assertions is 'SAML assertions that were accepted, so that none is accepted twice.';
