-- A reopened group gives nobody access by itself before another administrator has confirmed it (docs/decisions/0034): its past can be read.
alter table team_groups add column gives_access boolean not null default true;
comment on column team_groups.gives_access is
  'Whether what a provider''s group or a first sign-in gives on the team counts for this group. False on the team that reopened it, until another administrator confirms.';

create or replace function create_user_at_sign_in(connection bigint, subject text, address text, first_name text, last_name text, at timestamptz)
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
    select made, tg.team_id, tg.group_id, c.new_user_role_id from team_groups tg where tg.team_id = c.new_user_team_id and tg.gives_access;
  end if;
  return made;
end $$;
