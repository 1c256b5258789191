-- A facility of a feed for several can fall silent while others send (docs/decisions/0092).

create table facility_hours (
  feed_id bigint not null,
  group_id bigint not null,
  hour timestamptz not null,
  received integer not null,
  last_at timestamptz not null,
  primary key (feed_id, group_id, hour)
);
comment on table facility_hours is 'Messages about each facility of a feed for several, in each hour (UTC) of their receipt. Kept for 13 weeks before the facility''s last one.';

create table facility_silences (
  feed_id bigint not null references feeds (id),
  group_id bigint not null references groups (id),
  since timestamptz not null,
  primary key (feed_id, group_id)
);
comment on table facility_silences is 'Facilities that a job finds silent while their feed is not: when the last message about each came.';

insert into facility_hours (feed_id, group_id, hour, received, last_at)
select f.shared_feed_id, s.group_id, date_trunc('hour', f.received_at, 'UTC'), count(distinct f.message_id), max(f.received_at)
from facts f join source_patients s on s.id = f.source_patient_id
where f.shared_feed_id is not null and not f.is_backfill and f.received_at > now() - interval '13 weeks'
group by 1, 2, 3;

alter table facility_hours enable row level security;
alter table facility_silences enable row level security;
create policy pipeline on facility_hours to tidings_pipeline using (true);
create policy pipeline on facility_silences to tidings_pipeline using (true);
-- As that of feeds: which facilities a list names is decided by the query (work/list-gaps/).
create policy of_everyone on facility_silences for select to tidings_app using (true);
grant select, insert, update, delete on facility_hours, facility_silences to tidings_pipeline;
grant select on facility_silences to tidings_app;

create trigger logs_state after insert or delete on facility_silences for each statement execute function log_feed_state();
