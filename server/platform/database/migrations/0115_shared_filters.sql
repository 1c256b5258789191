-- Saved filters can be shared with the team (docs/decisions/0094).

alter table saved_filters
  add column shared_at timestamptz,
  add constraint saved_filters_id_team_id_key unique (id, team_id);
comment on column saved_filters.shared_at is 'Since when the whole team sees and uses the filter; null for the owner''s alone.';
create index saved_filters_shared on saved_filters (team_id) where shared_at is not null;

-- Defaults and notifications are each user's own, also for a colleague's filter.
alter table search_preferences
  drop constraint search_preferences_filter_id_user_id_team_id_fkey,
  add foreign key (filter_id, team_id) references saved_filters (id, team_id) on delete cascade;
alter table notification_preferences
  drop constraint notification_preferences_filter_id_user_id_team_id_fkey,
  drop constraint notification_preferences_pkey,
  add primary key (filter_id, user_id),
  add foreign key (filter_id, team_id) references saved_filters (id, team_id) on delete cascade;
alter table notification_matches
  drop constraint notification_matches_filter_id_ping_id_key,
  add unique (filter_id, ping_id, user_id);
alter table saved_filters drop constraint saved_filters_id_user_id_team_id_key;

create table shared_filter_uses (
  filter_id bigint not null references saved_filters on delete cascade,
  user_id bigint not null references users on delete cascade,
  last_used_at timestamptz not null,
  primary key (filter_id, user_id)
);
comment on table shared_filter_uses is 'When a user last opened a list with a colleague''s shared filter.';

create policy of_team on saved_filters for select to tidings_app using (
  shared_at is not null and team_id = (select acting_team()) and (select acting_user()) is not null);
-- Administrators of the team keep shared filters in order, also those whose owner has left. They can't make them anyone else's.
create function administers_team() returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from grants n join roles r on r.id = n.role_id
    where n.user_id = acting_user() and n.team_id = acting_team()
      and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed)) $$;
comment on function administers_team is 'Whether the acting user manages users of the acting team.';
revoke execute on function administers_team from public;
grant execute on function administers_team to tidings_app;
create policy change_of_team on saved_filters for update to tidings_app
  using (shared_at is not null and team_id = (select acting_team()) and (select administers_team()))
  with check (team_id = (select acting_team()));
create policy delete_of_team on saved_filters for delete to tidings_app
  using (shared_at is not null and team_id = (select acting_team()) and (select administers_team()));

alter table shared_filter_uses enable row level security;
create policy of_user on shared_filter_uses to tidings_app using (user_id = (select acting_user()));
create policy pipeline on shared_filter_uses to tidings_pipeline using (true);
grant select, insert, update, delete on shared_filter_uses to tidings_app;
grant select, delete on shared_filter_uses to tidings_pipeline;

-- What is no longer shared is no one else's default, and notifies no one else.
create function forget_unshared() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  delete from search_preferences p where p.filter_id = new.id and p.user_id <> new.user_id;
  delete from notification_preferences p where p.filter_id = new.id and p.user_id <> new.user_id;
  delete from notification_matches m where m.filter_id = new.id and m.user_id <> new.user_id and m.notification_id is null;
  delete from shared_filter_uses u where u.filter_id = new.id;
  return null;
end $$;
comment on function forget_unshared is 'Ends what others had set for a filter that is no longer shared.';
revoke execute on function forget_unshared from public;
create trigger forgets_unshared after update of shared_at on saved_filters for each row
  when (old.shared_at is not null and new.shared_at is null) execute function forget_unshared();

-- Deleting a filter of someone else must close the gap in that user's order.
create function close_filter_gap() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if old.user_id is distinct from acting_user() then
    update saved_filters f set order_num = f.order_num - 1
    where f.user_id = old.user_id and f.team_id = old.team_id and f.order_num > old.order_num;
  end if;
  return null;
end $$;
comment on function close_filter_gap is 'Moves up the later filters of an owner whose shared filter an administrator deleted.';
revoke execute on function close_filter_gap from public;
create trigger closes_gap after delete on saved_filters for each row execute function close_filter_gap();

create function owners_of_shared_filters() returns table (filter_id bigint, name text, is_on_team boolean)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select f.id, u.first_name || ' ' || u.last_name,
    u.disabled_at is null and exists (select from grants n where n.user_id = u.id and n.team_id = f.team_id)
  from saved_filters f join users u on u.id = f.user_id
  where f.shared_at is not null and f.team_id = acting_team() and acting_user() is not null $$;
comment on function owners_of_shared_filters is 'Who owns the filters that the acting team shares, and whether they are still on the team.';
revoke execute on function owners_of_shared_filters from public;
grant execute on function owners_of_shared_filters to tidings_app;
