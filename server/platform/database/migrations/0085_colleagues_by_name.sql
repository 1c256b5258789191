-- Two colleagues of the same name are told apart by their user names where one of them is chosen.
create or replace function team_colleagues() returns table (id bigint, name text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select of_team.id, of_team.name || case when count(*) over (partition by of_team.name) > 1 then ' (' || of_team.username || ')' else '' end
  from (
    select u.id, u.first_name || ' ' || u.last_name as name, u.username
    from users u
    where u.disabled_at is null and u.activated_at is not null and exists (
      select from grants n join roles r on r.id = n.role_id
      where n.user_id = u.id and n.team_id = acting_team()
        and 'canViewPings' = any (r.permissions || n.added) and not 'canViewPings' = any (n.removed))) of_team $$;
