-- Accounts: mailed tokens, second factors, passkeys, single sign-on, requests to join, usage.
-- A secret is kept as a hash where it only has to be recognised; tokens, codes and challenges never stand here in clear.

alter table users
  add column mfa_secret text,
  add column mfa_last_step bigint,
  add column preferences jsonb not null default '{}',
  add column notification_phone text,
  add column sso_connection_id bigint,
  add column sso_subject text;
comment on column users.mfa_secret is 'Of the confirmed time-based second factor; mfa_last_step: the newest step that was used, so that no code works twice.';

alter table sessions
  add column id text not null default gen_random_uuid()::text unique,
  add column device text not null default '',
  add column must_change_password boolean not null default false,
  add column patient_id text,
  add column ehr_patient_identifier text,
  add column need_patient_banner boolean not null default true;
comment on column sessions.must_change_password is 'Begun with a password that had expired: only changing it, the current user and the end of the session are open.';
comment on column sessions.patient_id is 'Of a launch from an EHR: the patient that it opened.';

create table account_tokens (
  token_hash bytea primary key,
  user_id bigint not null references users,
  purpose text not null check (purpose in ('ACCOUNT_ACTIVATION', 'PASSWORD_RESET', 'ACCOUNT_UNLOCK')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on account_tokens (user_id, purpose, created_at desc);

create table password_history (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  password_hash text not null,
  replaced_at timestamptz not null
);
create index on password_history (user_id, id desc);

create table recovery_codes (
  user_id bigint not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index on passkeys (user_id);

create table sign_in_challenges (
  token_hash bytea primary key,
  kind text not null check (kind in ('MFA', 'MFA_ENROLMENT', 'PASSKEY', 'PASSKEY_ENROLMENT', 'OIDC', 'SAML', 'SMART')),
  user_id bigint references users,
  connection_id bigint,
  detail jsonb not null default '{}',
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sign_in_challenges is 'What a browser has begun and not finished: known by a cookie or a state whose hash this is. Used once, then deleted.';

create table phone_verifications (
  request_hash bytea primary key,
  user_id bigint not null references users,
  phone text not null,
  code_hash bytea not null,
  tries smallint not null default 0,
  created_at timestamptz not null
);

create table access_requests (
  id bigint generated always as identity primary key,
  username text not null,
  first_name text not null,
  last_name text not null,
  title text,
  group_id bigint not null references groups,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users,
  is_granted boolean
);
create unique index access_requests_open on access_requests (username, group_id) where decided_at is null;

create table sso_connections (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  key text not null unique default gen_random_uuid()::text,
  kind text not null check (kind in ('OIDC', 'SAML', 'SMART')),
  name text not null,
  is_enabled boolean not null,
  domains text[] not null default '{}',
  issuer text not null,
  client_id text,
  client_secret text,
  entry_point text,
  certificates text[] not null default '{}',
  allowed_origins text[] not null default '{}',
  application_experience text not null,
  created_at timestamptz not null,
  unique (organization_id, name)
);
comment on column sso_connections.key is 'Names the connection in addresses; tells nothing of the organisation.';
alter table users add foreign key (sso_connection_id) references sso_connections;
create unique index users_sso_subject on users (sso_connection_id, sso_subject) where sso_subject is not null;

create table used_assertions (
  digest bytea primary key,
  expires_at timestamptz not null
);
comment on table used_assertions is 'SAML assertions that were accepted: none is accepted twice.';

create table outbox (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('e-mail', 'text')),
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  failure text
);
comment on table outbox is 'Mails and text messages, written in the transaction that causes them and sent by a job. They hold no patient data; tokens leave with them and are cleared from the body once sent, except on a demo installation.';

create table opt_outs (
  user_id bigint not null references users,
  feature text not null,
  created_at timestamptz not null,
  primary key (user_id, feature)
);

create table usage_events (
  id bigint generated always as identity,
  at timestamptz not null,
  user_id bigint,
  username text,
  name text not null,
  detail jsonb not null,
  primary key (id, at)
) partition by range (at);
create index on usage_events (name, at desc);
create index on usage_events (user_id, at desc);

create table client_errors (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id bigint,
  kind text not null,
  message text not null,
  request_id text,
  location text not null
);

create table export_jobs (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  name text not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  in_progress boolean not null,
  failed boolean not null default false
);
create index on export_jobs (user_id, id desc);

create or replace function ensure_partitions(from_day date, to_day date) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  parent text;
  month date;
begin
  foreach parent in array array['messages', 'audit_entries', 'usage_events'] loop
    for month in select generate_series(date_trunc('month', from_day::timestamp), to_day::timestamp, interval '1 month')::date loop
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYY_MM'), parent,
        month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    end loop;
  end loop;
end $$;

grant select, insert, update, delete on account_tokens, password_history, recovery_codes, passkeys, sign_in_challenges,
  phone_verifications, access_requests, sso_connections, used_assertions, outbox, opt_outs, usage_events, client_errors,
  export_jobs to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
grant insert, update on users, teams, groups to tidings_app;
grant insert, update, delete on grants, roles, team_groups to tidings_app;
grant update on feeds to tidings_app;
grant insert, update, delete on feed_facilities to tidings_app;
