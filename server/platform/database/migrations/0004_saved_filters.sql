-- Saved filters of a user in a team, and which of them is the default where.
-- A filter may hold a name or birth date that its owner typed: behind the server's own conditions stands row-level security by user.

create table saved_filters (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  team_id bigint not null references teams,
  name text not null,
  order_num integer not null check (order_num >= 1),
  parameters jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, user_id, team_id),
  unique (user_id, team_id, order_num) deferrable
);
comment on table saved_filters is 'order_num is 1 to n without gaps in each user''s list of a team; the constraint is deferrable so that one statement may shift several.';
comment on column saved_filters.parameters is 'Search parameters as the version that wrote them had them; what a newer one no longer knows is ignored when it is read.';
create unique index saved_filters_name on saved_filters (user_id, team_id, lower(name));

create table search_preferences (
  user_id bigint not null,
  team_id bigint not null,
  module_name text not null check (
    module_name in ('PATIENT_SEARCH', 'PING_SEARCH', 'NOTIFICATIONS', 'EXPORTS', 'HOSPITAL_PATIENT_SEARCH', 'RISING_RISK')),
  filter_id bigint not null,
  primary key (user_id, team_id, module_name),
  foreign key (filter_id, user_id, team_id) references saved_filters (id, user_id, team_id) on delete cascade
);
create index on search_preferences (filter_id);

create function acting_user() returns bigint
language sql stable as $$ select nullif(current_setting('tidings.user_id', true), '')::bigint $$;
comment on function acting_user is 'The user for whom the present transaction may see what is his or hers alone; none unless the server says so.';

alter table saved_filters enable row level security;
alter table search_preferences enable row level security;

create policy of_user on saved_filters to tidings_app using (user_id = (select acting_user()));
create policy of_user on search_preferences to tidings_app using (user_id = (select acting_user()));
create policy pipeline on saved_filters to tidings_pipeline using (true);
create policy pipeline on search_preferences to tidings_pipeline using (true);

grant select, insert, update, delete on saved_filters, search_preferences to tidings_app, tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
grant execute on function acting_user to tidings_app, tidings_pipeline;
