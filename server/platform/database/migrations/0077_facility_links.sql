-- Links for people at a facility who have no account. Each has one purpose, for one stay of one patient.

create table facility_links (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  purpose text not null check (purpose in ('CONFIRM_DISCHARGE')),
  team_id bigint not null references teams (id) on delete cascade,
  roster_patient_id bigint not null references roster_patients (id) on delete cascade,
  encounter_id bigint not null references encounters (id) on delete cascade,
  about_message_id bigint not null,
  about text not null,
  recipient text check (length(recipient) <= 254),
  created_by bigint not null references users (id),
  created_by_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '14 days'),
  tries smallint not null default 0 check (tries between 0 and 3),
  wrong smallint not null default 0 check (wrong between 0 and 3),
  opened_at timestamptz,
  locked_at timestamptz,
  answered_at timestamptz,
  answer jsonb,
  message_id bigint,
  revoked_at timestamptz,
  revoked_by bigint references users (id),
  revoked_by_name text,
  retraction_id bigint,
  expired_at timestamptz,
  check ((answered_at is null) = (answer is null)),
  check ((revoked_at is null) = (revoked_by is null))
);
comment on table facility_links is 'Links for people at a facility without an account: one purpose, one stay, three wrong birth dates at most.';
comment on column facility_links.token_hash is 'SHA-256 of the token, which only its link has.';
comment on column facility_links.about is 'The content hash of the fact by which the visit is found, whatever merges and moves happen later; about_message_id is its message.';
comment on column facility_links.recipient is 'The email address that the link was sent to; null if it was copied.';
comment on column facility_links.tries is 'Birth dates that were wrong, or are being compared: each is counted before it is compared. wrong: those that were.';
comment on column facility_links.message_id is 'The stored message with the answer; null until it is stored. retraction_id: the one that takes it back.';
comment on column facility_links.expired_at is 'When it was recorded that the link expired unused.';
create index on facility_links (roster_patient_id);
create index on facility_links (encounter_id);
create index on facility_links (created_by, created_at);
create index facility_links_open on facility_links (expires_at)
  where answered_at is null and revoked_at is null and locked_at is null and expired_at is null;
create index facility_links_unsent on facility_links (id)
  where answered_at is not null and (message_id is null or revoked_at is not null and retraction_id is null);

alter table facility_links enable row level security;
create policy of_team on facility_links for select to tidings_app using (
  team_id = (select acting_team()) and exists (select from roster_patients r where r.id = roster_patient_id));
create policy pipeline on facility_links to tidings_pipeline using (true);
grant select (id, purpose, team_id, roster_patient_id, encounter_id, recipient, created_by, created_by_name, created_at, expires_at, opened_at,
  locked_at, answered_at, answer, message_id, revoked_at, revoked_by, revoked_by_name, retraction_id, expired_at) on facility_links to tidings_app;
grant select, insert, update on facility_links to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline;
