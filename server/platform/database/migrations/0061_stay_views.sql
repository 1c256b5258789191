-- Until when each user has seen the pings of a visit: what arrived later is unread for that user.
create table stay_views (
  user_id bigint not null references users (id) on delete cascade,
  encounter_id bigint not null references encounters (id) on delete cascade,
  seen_until timestamptz not null,
  primary key (user_id, encounter_id)
);
comment on table stay_views is 'Until when a user has seen the pings of a visit. Unread is per person; the status of a ping belongs to the team.';
create index on stay_views (encounter_id);

alter table stay_views enable row level security;
create policy of_user on stay_views to tidings_app using (user_id = (select acting_user()));
create policy pipeline on stay_views to tidings_pipeline using (true);
grant select, insert, update (seen_until) on stay_views to tidings_app;
grant select, insert, update, delete on stay_views to tidings_pipeline;
