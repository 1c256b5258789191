-- Accounts and access that an identity provider manages (SCIM 2.0, RFC 7643 and 7644), or makes at the first sign-in.
create table scim_tokens (
  id bigint generated always as identity primary key,
  connection_id bigint not null references sso_connections (id) on delete cascade,
  token_hash bytea not null unique,
  ending text not null,
  created_at timestamptz not null,
  created_by bigint references users (id),
  revoked_at timestamptz,
  revoked_by bigint references users (id),
  last_used_at timestamptz
);
comment on table scim_tokens is 'Tokens with which an identity provider manages accounts. Only hashes are stored.';
comment on column scim_tokens.ending is 'The last four characters, by which people tell tokens apart.';
create index on scim_tokens (connection_id);

create table provider_groups (
  id bigint generated always as identity primary key,
  connection_id bigint not null references sso_connections (id) on delete cascade,
  external_id text,
  display_name text not null,
  created_at timestamptz not null
);
comment on table provider_groups is 'Groups of an identity provider, as it sends them by SCIM.';
create unique index on provider_groups (connection_id, lower(display_name));

create table provider_group_members (
  provider_group_id bigint not null references provider_groups (id) on delete cascade,
  user_id bigint not null references users (id),
  primary key (provider_group_id, user_id)
);
create index on provider_group_members (user_id);

create table provider_group_access (
  provider_group_id bigint not null references provider_groups (id) on delete cascade,
  team_id bigint not null references teams (id) on delete cascade,
  role_id bigint not null references roles (id),
  primary key (provider_group_id, team_id)
);
comment on table provider_group_access is 'What members of a provider''s group may do: a role for every group of a team. Decided by administrators.';
create index on provider_group_access (team_id);

alter table grants add column is_provisioned boolean not null default false;
comment on column grants.is_provisioned is 'It follows from provider_group_access, and goes when the membership does.';

alter table users add column external_id text, add column deprovisioned_at timestamptz;
comment on column users.external_id is 'The id that the identity provider sent by SCIM.';
comment on column users.deprovisioned_at is 'When the identity provider deleted the account, which is then disabled and without access.';
grant insert (external_id), update (external_id), update (deprovisioned_at) on users to tidings_app;

alter table sso_connections
  add column new_user_team_id bigint references teams (id) on delete set null,
  add column new_user_role_id bigint references roles (id) on delete set null;
comment on column sso_connections.new_user_team_id is 'Where someone without an account gets access at the first sign-in. Null, also of the role: they are refused.';

alter table scim_tokens enable row level security;
alter table provider_groups enable row level security;
alter table provider_group_members enable row level security;
alter table provider_group_access enable row level security;
create policy pipeline on scim_tokens to tidings_pipeline using (true);
create policy pipeline on provider_groups to tidings_pipeline using (true);
create policy pipeline on provider_group_members to tidings_pipeline using (true);
create policy pipeline on provider_group_access to tidings_pipeline using (true);
create policy of_organization on scim_tokens to tidings_app
  using (exists (select from sso_connections c where c.id = connection_id and administers(c.organization_id)));
create policy of_organization on provider_groups to tidings_app
  using (exists (select from sso_connections c where c.id = connection_id and administers(c.organization_id)));
create policy of_organization on provider_group_members to tidings_app
  using (exists (select from users u where u.id = user_id and administers(u.organization_id)));
create policy of_organization on provider_group_access to tidings_app
  using (exists (select from provider_groups p where p.id = provider_group_id));
grant select, insert, update, delete on scim_tokens, provider_groups, provider_group_members, provider_group_access
  to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_app, tidings_pipeline;

create function use_scim_token(hash bytea, used_at timestamptz) returns table (token_id bigint, connection_id bigint, organization_id bigint)
language sql security definer set search_path = tidings, pg_temp as $$
  update scim_tokens t set last_used_at = used_at from sso_connections c
  where t.token_hash = hash and t.revoked_at is null and c.id = t.connection_id
  returning t.id, c.id, c.organization_id $$;
comment on function use_scim_token is 'The connection of a token that is valid. The caller is a system without an account, so no row is visible to it.';

create function create_user_at_sign_in(connection bigint, subject text, address text, first_name text, last_name text, at timestamptz)
returns bigint language plpgsql security definer set search_path = tidings, pg_temp as $$
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
    select made, tg.team_id, tg.group_id, c.new_user_role_id from team_groups tg where tg.team_id = c.new_user_team_id;
  end if;
  return made;
end $$;
comment on function create_user_at_sign_in is 'Makes an account for someone whom an identity provider has signed in, as the rule of the connection says; null if it says nothing, if the address is in no verified domain, or if there is an account. Nobody is signed in yet, so the app role may not.';
create function rename_user_of_connection(connection bigint, renamed bigint, address text)
returns void language sql security definer set search_path = tidings, pg_temp as $$
  update users u set username = address from sso_connections c
  where u.id = renamed and c.id = connection and c.organization_id = u.organization_id and administers(c.organization_id)
    and not u.is_operator
    and exists (
      select from email_domains d
      where d.organization_id = c.organization_id and d.domain = any (c.domains) and d.verified_at is not null
        and d.domain = substring(address from '[^@]*$')) $$;
comment on function rename_user_of_connection is 'Gives an account another address in a verified domain of its connection. The app role may not rename accounts in any other way.';
revoke execute on function use_scim_token, create_user_at_sign_in, rename_user_of_connection from public;
grant execute on function use_scim_token, create_user_at_sign_in, rename_user_of_connection to tidings_app;

-- A provider's call acts for no user, only for an organization.
drop policy of_calls on change_log;
create policy of_calls on change_log for insert to tidings_app
  with check ((select acting_user()) is not null or acts_for('sign-in') or coalesce(current_setting('tidings.administers', true), '') <> '');
