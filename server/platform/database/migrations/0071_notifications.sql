-- Notifications of pings that match saved filters.

create table notification_preferences (
  filter_id bigint primary key,
  user_id bigint not null,
  team_id bigint not null,
  by_email boolean not null,
  by_text boolean not null,
  timing text not null check (timing in ('AT_ONCE', 'DAILY')),
  digest_hour smallint not null check (digest_hour between 0 and 23),
  is_muted boolean not null,
  active_since timestamptz not null,
  foreign key (filter_id, user_id, team_id) references saved_filters (id, user_id, team_id) on delete cascade
);
comment on table notification_preferences is 'How a user is notified of new pings that match a saved filter.';
comment on column notification_preferences.active_since is 'Since when it notifies: earlier pings are nothing new.';
comment on column notification_preferences.digest_hour is 'The local hour of the daily digest, in the user''s time zone.';
create index on notification_preferences (team_id) where (by_email or by_text) and not is_muted;
create index on notification_preferences (user_id);

create table quiet_hours (
  user_id bigint primary key references users on delete cascade,
  from_hour smallint not null check (from_hour between 0 and 23),
  until_hour smallint not null check (until_hour between 0 and 23 and until_hour <> from_hour)
);
comment on table quiet_hours is 'When a user gets no notifications, by hours of the user''s time zone. They wait until it is over.';

create table notifications (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  user_id bigint not null references users on delete cascade,
  team_id bigint not null references teams,
  filter_id bigint references saved_filters on delete set null,
  search_context text not null check (search_context in ('ALL', 'PINGS', 'EVENTS')),
  corrects bigint references notifications on delete cascade,
  pings integer not null check (pings >= 0),
  created_at timestamptz not null
);
comment on table notifications is 'Messages to users. Each goes out by email, text or both: its deliveries are in the outbox.';
comment on column notifications.uuid is 'In the link of the message: it says which list to open.';
comment on column notifications.corrects is 'The notification that this one corrects.';
create index on notifications (user_id, created_at);
create index on notifications (filter_id) where filter_id is not null;
create index on notifications (corrects) where corrects is not null;

create table notification_matches (
  id bigint generated always as identity primary key,
  filter_id bigint references saved_filters on delete set null,
  ping_id bigint not null references pings on delete cascade,
  user_id bigint not null references users on delete cascade,
  team_id bigint not null references teams,
  matched_at timestamptz not null,
  notification_id bigint references notifications on delete cascade,
  told_state text not null default 'ACTIVE' check (told_state in ('ACTIVE', 'AMENDED', 'CANCELLED')),
  to_correct_since timestamptz,
  unique (filter_id, ping_id)
);
comment on table notification_matches is 'New pings that match a saved filter, and the message that reported them; null while it waits.';
comment on column notification_matches.told_state is 'The state of the ping of which the user was last notified. A correction is sent when it is another one, once.';
comment on column notification_matches.to_correct_since is 'Since when a correction waits to be sent.';
create index on notification_matches (user_id, filter_id) where notification_id is null;
create index on notification_matches (notification_id) where notification_id is not null;
create index on notification_matches (ping_id);
create index on notification_matches (user_id) where to_correct_since is not null;

alter table outbox add column notification_id bigint references notifications on delete set null;
create index on outbox (notification_id) where notification_id is not null;

create table notification_cursor (
  is_only boolean primary key default true check (is_only),
  snapshot text not null,
  identity text not null
);
comment on table notification_cursor is 'How far the job that notifies has read the change log (server/platform/changes/change-log.ts).';

alter table notification_preferences enable row level security;
alter table quiet_hours enable row level security;
alter table notifications enable row level security;
alter table notification_matches enable row level security;
alter table notification_cursor enable row level security;

create policy of_user on notification_preferences to tidings_app using (user_id = (select acting_user()));
create policy of_user on quiet_hours to tidings_app using (user_id = (select acting_user()));
create policy of_user on notifications for select to tidings_app using (user_id = (select acting_user()));
create policy pipeline on notification_preferences to tidings_pipeline using (true);
create policy pipeline on quiet_hours to tidings_pipeline using (true);
create policy pipeline on notifications to tidings_pipeline using (true);
create policy pipeline on notification_matches to tidings_pipeline using (true);
create policy pipeline on notification_cursor to tidings_pipeline using (true);

grant select, insert, update, delete on notification_preferences, quiet_hours to tidings_app;
grant select on notifications to tidings_app;
grant select on notification_preferences, quiet_hours to tidings_pipeline;
grant select, insert, update, delete on notifications, notification_matches, notification_cursor to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
