-- Administrators pass on what a user has taken on any team when they disable the account. Row-level security shows them only their own team's work.
create function administers_organization_of(given_user bigint) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from users a join users u on u.id = given_user and (a.is_operator or a.organization_id = u.organization_id)
      join grants n on n.user_id = a.id join roles r on r.id = n.role_id
    where a.id = acting_user() and a.disabled_at is null
      and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed)) $$;
comment on function administers_organization_of is 'Whether the acting user may manage users where this user belongs, or everywhere.';

create function stays_taken_by(given_users bigint[]) returns table (team_id bigint, stays integer, open integer)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select w.team_id, count(*)::int, count(*) filter (where exists (
      select from pings p join team_groups t on t.group_id = p.group_id
      where p.encounter_id = w.encounter_id and t.team_id = w.team_id and p.management_status in ('NEW', 'IN_PROGRESS')))::int
  from stay_work w
  where w.owner_id = any (given_users)
    and w.owner_id in (select u from unnest(given_users) u where administers_organization_of(u))
  group by w.team_id $$;
comment on function stays_taken_by is 'How many stays these users have taken on each team, and how many of them have an open ping of the team. Numbers only: who the patients are is not for whoever manages users.';

create function pass_on_stays(given_user bigint, given_team bigint, new_owner jsonb, by_name text, at timestamptz) returns bigint[]
language plpgsql security definer set search_path = tidings, pg_temp as $$
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
end $$;
comment on function pass_on_stays is 'Gives all stays that a user has taken on a team to someone else, or with null to no one. Returns their visits. Who may be given them is checked by the caller.';
grant execute on function stays_taken_by(bigint[]), pass_on_stays(bigint, bigint, jsonb, text, timestamptz) to tidings_app;
