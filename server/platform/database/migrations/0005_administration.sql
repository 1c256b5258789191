-- Teams, groups and roles that nobody needs any more; who changed what; drafts that outlive a sign-in elsewhere.

alter table teams add ended_at timestamptz;
alter table groups add ended_at timestamptz;
alter table roles add ended_at timestamptz;
comment on column groups.ended_at is 'Nobody is granted it any more and nobody is listed there; what it was told stays.';

-- A name is free again once what had it has ended.
alter table teams drop constraint teams_organization_id_name_key;
create unique index on teams (organization_id, name) where ended_at is null;
alter table groups drop constraint groups_organization_id_name_key;
create unique index on groups (organization_id, name) where ended_at is null;
alter table roles drop constraint roles_organization_id_name_key;
create unique index on roles (organization_id, name) nulls not distinct where ended_at is null;

-- Administrators read what was done to accounts and to the directory, and nothing of who opened which patient.
create index on audit_entries (at desc, id desc)
  where subject in ('user', 'team', 'group', 'role', 'access-request', 'sso-connection', 'feed');
alter table audit_entries enable row level security;
create policy of_administration on audit_entries for select to tidings_app
  using (subject in ('user', 'team', 'group', 'role', 'access-request', 'sso-connection', 'feed'));
create policy of_deeds on audit_entries for insert to tidings_app with check (true);
create policy pipeline on audit_entries to tidings_pipeline using (true);
grant select on audit_entries to tidings_app;

alter table users add draft_key text not null default gen_random_uuid()::text || gen_random_uuid()::text;
comment on column users.draft_key is 'With it the user''s browser closes what is half written, before it leaves for a sign-in elsewhere; nobody but the user is told it.';
