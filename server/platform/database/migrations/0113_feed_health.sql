-- The health of feeds (docs/decisions/0092): what came in each hour, how late, what was missing, and codes that the settings don't know.

create table feed_hours (
  feed_id bigint not null,
  hour timestamptz not null,
  received integer not null default 0,
  primary key (feed_id, hour)
);
comment on table feed_hours is 'Messages of a feed in each hour (UTC), without duplicates. Kept for 13 weeks before its last one.';

create table feed_delays (
  feed_id bigint not null,
  day date not null,
  within integer not null check (within in (1, 5, 15, 60, 240, 1440, 0)),
  messages integer not null,
  primary key (feed_id, day, within)
);
comment on table feed_delays is 'How many messages of a feed arrived within so many minutes of their event; 0 for longer than a day. Days are those of the receipt, in UTC.';

create table feed_fields (
  feed_id bigint not null,
  day date not null,
  field text not null,
  messages integer not null,
  missing integer not null,
  primary key (feed_id, day, field)
);
comment on table feed_fields is 'How many arrivals and discharges of a feed should have had a field, and how many did not. Counts only.';

create table feed_codes (
  feed_id bigint not null,
  day date not null,
  field text not null check (field in ('PV1-2', 'PV1-36')),
  code text not null,
  messages integer not null,
  primary key (feed_id, day, field, code)
);
comment on table feed_codes is 'Codes of a feed that its settings don''t map, with counts of messages. Codes only.';

insert into feed_hours (feed_id, hour, received)
select m.feed_id, date_trunc('hour', m.received_at, 'UTC'), count(*)
from messages m
where m.feed_id is not null and m.status <> 'DUPLICATE' and m.received_at > now() - interval '13 weeks'
group by 1, 2;

alter table feeds add column silent_since timestamptz;
comment on column feeds.silent_since is 'When the last message came, while a job finds the silence since then unusual; otherwise null.';

alter table feed_hours enable row level security;
alter table feed_delays enable row level security;
alter table feed_fields enable row level security;
alter table feed_codes enable row level security;
-- A feed set up for an unknown sender adopts what waits: an administrator's transaction counts it.
create policy of_organization on feed_hours to tidings_app using (
  exists (select from feeds f where f.id = feed_hours.feed_id and administers(f.organization_id)));
create policy of_organization on feed_delays for select to tidings_app using (
  exists (select from feeds f where f.id = feed_delays.feed_id and administers(f.organization_id)));
create policy of_organization on feed_fields for select to tidings_app using (
  exists (select from feeds f where f.id = feed_fields.feed_id and administers(f.organization_id)));
create policy of_organization on feed_codes for select to tidings_app using (
  exists (select from feeds f where f.id = feed_codes.feed_id and administers(f.organization_id)));
create policy pipeline on feed_hours to tidings_pipeline using (true);
create policy pipeline on feed_delays to tidings_pipeline using (true);
create policy pipeline on feed_fields to tidings_pipeline using (true);
create policy pipeline on feed_codes to tidings_pipeline using (true);
grant select, insert, update on feed_hours to tidings_app;
grant select on feed_delays, feed_fields, feed_codes to tidings_app;
grant select, insert, update, delete on feed_hours, feed_delays, feed_fields, feed_codes to tidings_pipeline;

-- Open lists say which facilities are not heard from. The log names no feed and no facility: each page asks what its team may know.
alter table change_log drop constraint change_log_kind_check;
alter table change_log add constraint change_log_kind_check
  check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person', 'work', 'feed'));
create function log_feed_state() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, changed_at) values ('feed', 'state', now());
  perform pg_notify('tidings_changes', '');
  return null;
end $$;
comment on function log_feed_state is 'Logs that some feed fell silent, was heard again, paused, resumed or removed.';
revoke execute on function log_feed_state from public;
create trigger logs_state after update on feeds for each row
  when ((old.silent_since is null) <> (new.silent_since is null) or (old.paused_at is null) <> (new.paused_at is null)
    or (old.ended_at is null) <> (new.ended_at is null))
  execute function log_feed_state();
