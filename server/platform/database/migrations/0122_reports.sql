-- Reports about users, pages and rights (docs/decisions/0098).

create table page_uses (
  user_id bigint not null references users (id),
  organization_id bigint not null references organizations (id),
  team_id bigint references teams (id),
  location text not null,
  day date not null,
  uses integer not null,
  last_at timestamptz not null,
  unique nulls not distinct (user_id, team_id, location, day)
);
comment on table page_uses is 'How often a user opened a page, by team and day. No patient is named.';
comment on column page_uses.team_id is 'The selected team; null where it was not recorded, as before this table existed.';
comment on column page_uses.day is 'The day in the time zone of the browser.';
create index page_uses_day on page_uses (organization_id, day);
create index page_uses_last on page_uses (user_id, last_at desc);

create table right_uses (
  user_id bigint not null references users (id),
  organization_id bigint not null references organizations (id),
  team_id bigint not null references teams (id),
  sign text not null,
  last_at timestamptz not null,
  primary key (user_id, team_id, sign)
);
comment on table right_uses is 'When a user last used what permissions allow, by team, to within ten minutes. Calls that open pages make by themselves do not count.';
comment on column right_uses.sign is 'The route of a call, or the location of a page. contract/right-uses.ts has the permissions that each shows.';
create index right_uses_organization on right_uses (organization_id);

create function reads_usage(organization_id bigint) returns boolean
language sql stable as $$
  select coalesce(current_setting('tidings.reads_usage', true) in ('everything', organization_id::text), false) $$;
comment on function reads_usage is 'Whether the current transaction reads the report of page use of this organization. An operator''s reads every one.';

create function users_of_usage() returns table (id bigint, organization_id bigint, username text, first_name text, last_name text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select u.id, u.organization_id, u.username, u.first_name, u.last_name from users u where reads_usage(u.organization_id) $$;
comment on function users_of_usage is 'Who is named in the report of page use, without anything else of their accounts.';
revoke execute on function reads_usage, users_of_usage from public;
grant execute on function reads_usage, users_of_usage to tidings_app;

-- What is known from before: pages from usage events, calls from the audit log.
insert into page_uses (user_id, organization_id, location, day, uses, last_at)
select e.user_id, u.organization_id, e.detail ->> 'currentLocation', (e.at at time zone 'UTC')::date, count(*), max(e.at)
from usage_events e join users u on u.id = e.user_id
where e.name = 'page-viewed' and e.detail ->> 'currentLocation' is not null
group by 1, 2, 3, 4;

insert into right_uses (user_id, organization_id, team_id, sign, last_at)
select a.user_id, u.organization_id, a.team_id, a.route, max(a.at)
from audit_entries a join users u on u.id = a.user_id join teams t on t.id = a.team_id
where a.route <> '' and a.action <> 'access.refused' and coalesce(a.status, 200) < 400
  and a.detail ->> 'isBackground' is distinct from 'true'
group by 1, 2, 3, 4;

alter table page_uses enable row level security;
alter table right_uses enable row level security;
create policy of_user on page_uses to tidings_app using (user_id = (select acting_user()));
create policy of_user on right_uses to tidings_app using (user_id = (select acting_user()));
create policy of_report on page_uses for select to tidings_app using (administers(organization_id) or reads_usage(organization_id));
create policy of_report on right_uses for select to tidings_app using (administers(organization_id));
create policy pipeline on page_uses to tidings_pipeline using (true);
create policy pipeline on right_uses to tidings_pipeline using (true);
grant select, insert, update on page_uses, right_uses to tidings_app;
grant select, insert, update, delete on page_uses, right_uses to tidings_pipeline;
