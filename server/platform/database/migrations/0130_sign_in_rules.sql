-- Rules of an organization about how its people sign in and how long they stay signed in.
alter table organizations
  add column requires_sso boolean not null default false,
  add column session_hours smallint check (session_hours between 1 and 168),
  add column inactivity_minutes smallint check (inactivity_minutes between 10 and 40);
comment on column organizations.requires_sso is 'Nobody but operators signs in with a password or a passkey.';
comment on column organizations.session_hours is 'Hours after which a session ends, if fewer than the installation allows.';
comment on column organizations.inactivity_minutes is 'Minutes without activity after which a session ends, if fewer than 40.';
grant update (requires_sso), update (session_hours), update (inactivity_minutes) on organizations to tidings_app;

create policy of_administrator on devices for select to tidings_app
  using (exists (select from users u where u.id = user_id and administers(u.organization_id)));
