-- What limits a stolen session or a stolen backup: proof of identity within a session, second factors by policy, named devices.

alter table sessions
  add column verified_at timestamptz,
  add column must_enroll boolean not null default false,
  add column address text not null default '';
comment on column sessions.verified_at is 'When the user last proved their identity in this session: at sign-in, or when asked again before a change of a factor.';
comment on column sessions.must_enroll is 'Policy requires a second factor that the account doesn''t have: only setting one up and signing out are open.';
comment on column sessions.address is 'Address of the browser at sign-in, shown to the user only.';

alter table devices add column name text not null default '';
comment on column devices.name is 'Browser and operating system, shown to the user who resets a password.';

alter table organizations add column requires_second_factor boolean not null default false;
grant update (requires_second_factor) on organizations to tidings_app;
comment on column organizations.requires_second_factor is 'Everyone who signs in with a password needs two-step verification or a passkey.';

comment on column users.mfa_secret is 'Secret of the confirmed authenticator app, encrypted. mfa_last_step is the newest time step used, so that no code works twice.';
comment on column sso_connections.client_secret is 'Encrypted.';

-- The key of unsaved drafts is derived from the installation's key.
alter table users drop column draft_key;

-- Enrollments that were begun before secrets were encrypted: their users begin again.
delete from sign_in_challenges where kind = 'MFA_ENROLMENT';

-- Tries of codes by signed-in users who confirm their identity count toward the same day as those at sign-in.
alter table sign_in_challenges drop constraint sign_in_challenges_kind_check;
alter table sign_in_challenges add constraint sign_in_challenges_kind_check check (
  kind in ('MFA', 'MFA_AGAIN', 'MFA_ENROLMENT', 'PASSKEY', 'PASSKEY_ENROLMENT', 'OIDC', 'SAML', 'SMART'));

-- Administrators read what was changed about their organization's sign-in.
create policy of_organizations on audit_entries for select to tidings_app using (subject = 'organization' and administers(subject_id));
