-- Spotlights that users keep, and may share with their team.

create table custom_spotlights (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  team_id bigint not null references teams (id),
  title text not null check (length(title) between 1 and 60),
  name text not null,
  period text not null,
  breakdown text not null check (breakdown in ('MONTH', 'FACILITY')),
  group_id bigint references groups (id),
  filter_id bigint references saved_filters (id) on delete set null,
  has_filter boolean not null,
  shared_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column custom_spotlights.has_filter is 'Whether it was kept with a filter. Without that filter it is not read: it would count other people.';
create index custom_spotlights_own on custom_spotlights (user_id, team_id);
create index custom_spotlights_shared on custom_spotlights (team_id) where shared_at is not null;
create index custom_spotlights_filter on custom_spotlights (filter_id) where filter_id is not null;

create function owners_of_shared_spotlights() returns table (spotlight_id bigint, name text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select s.id, u.first_name || ' ' || u.last_name from custom_spotlights s join users u on u.id = s.user_id
  where s.shared_at is not null and s.team_id = acting_team() and acting_user() is not null $$;
comment on function owners_of_shared_spotlights is 'Who keeps the spotlights that the acting team shares.';
revoke execute on function owners_of_shared_spotlights from public;
grant execute on function owners_of_shared_spotlights to tidings_app;

alter table custom_spotlights enable row level security;
create policy of_user on custom_spotlights to tidings_app using (user_id = (select acting_user()));
create policy of_team on custom_spotlights for select to tidings_app using (
  shared_at is not null and team_id = (select acting_team()) and (select acting_user()) is not null);
create policy change_of_team on custom_spotlights for update to tidings_app
  using (shared_at is not null and team_id = (select acting_team()) and (select administers_team()))
  with check (team_id = (select acting_team()));
create policy delete_of_team on custom_spotlights for delete to tidings_app
  using (shared_at is not null and team_id = (select acting_team()) and (select administers_team()));
create policy pipeline on custom_spotlights to tidings_pipeline using (true);
grant select, insert, update, delete on custom_spotlights to tidings_app, tidings_pipeline;
