-- Users delete their own exports; row-level security shows them no others. The chunks of the file go with the row.
grant delete on export_jobs to tidings_app;

-- So that no search for the links of the last hour reads all of them.
create index on facility_links (created_at);

-- Whoever deletes a shared filter is told how many colleagues lose it. Row-level security shows nobody what others use.
create function colleagues_using_shared_filters() returns table (filter_id bigint, colleagues integer)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select f.id, count(distinct n.user_id)::int
  from saved_filters f
    cross join lateral (
      select f.user_id
      union select u.user_id from shared_filter_uses u where u.filter_id = f.id
      union select p.user_id from search_preferences p where p.filter_id = f.id
      union select p.user_id from notification_preferences p where p.filter_id = f.id and (p.by_email or p.by_text)) used
    join users u on u.id = used.user_id and u.disabled_at is null and u.id <> acting_user()
    join grants n on n.user_id = u.id and n.team_id = f.team_id
  where f.shared_at is not null and f.team_id = acting_team() and acting_user() is not null
  group by f.id $$;
comment on function colleagues_using_shared_filters is 'How many others on the acting team own, have used, open lists with or are notified by each filter that it shares.';
revoke execute on function colleagues_using_shared_filters from public;
grant execute on function colleagues_using_shared_filters to tidings_app;

-- Rosters say who uploaded and decided by name, as it was then, and not by an email address.
alter table roster_uploads add column uploader_name text, add column decided_by_name text;
comment on column roster_uploads.uploader_name is 'The name of the user; null where the account is gone, and the username is shown.';
update roster_uploads r set uploader_name = u.first_name || ' ' || u.last_name from users u where u.username = r.username;
update roster_uploads r set decided_by_name = u.first_name || ' ' || u.last_name from users u where u.username = r.decided_by;
alter table roster_headers add column changed_by_name text;
update roster_headers h set changed_by_name = u.first_name || ' ' || u.last_name from users u where u.username = h.username;
