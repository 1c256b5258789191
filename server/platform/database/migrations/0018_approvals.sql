-- An operator approves each sender of a feed, and another administrator each grant that administrators give themselves.

alter table feeds add approved_at timestamptz;
alter table feeds add approved_by bigint references users;
alter table feeds add proposal jsonb;
update feeds set approved_at = created_at;
comment on column feeds.approved_at is 'When an operator approved the sender. Until then no message belongs to the feed.';
comment on column feeds.approved_by is 'Null for feeds that are older than approvals.';
comment on column feeds.proposal is 'The sender and facilities that an administrator asked for. An operator approves them; until then those of the feed stay in force.';

-- A sender that is only claimed must stay free for the organization to which it really belongs.
drop index feeds_kind_sending_application_sending_facility_idx;
create unique index on feeds (kind, sending_application, sending_facility) nulls not distinct
  where ended_at is null and approved_at is not null;

-- What administrators asked to be given themselves. A decision deletes the row; the audit keeps what became of it.
create table pending_grants (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  team_id bigint not null references teams,
  group_id bigint not null references groups,
  role_id bigint not null references roles,
  added text[] not null default '{}',
  removed text[] not null default '{}',
  created_at timestamptz not null,
  unique (user_id, team_id, group_id)
);
comment on table pending_grants is 'Access that administrators asked for themselves; it takes effect once another administrator or an operator confirms it.';
alter table pending_grants enable row level security;
create policy of_organization on pending_grants to tidings_app
  using (exists (
    select from users u, users me
    where u.id = pending_grants.user_id and me.id = (select acting_user())
      and (me.is_operator or me.organization_id = u.organization_id)))
  with check (user_id = (select acting_user()));
create policy pipeline on pending_grants to tidings_pipeline using (true);
grant select, insert, update, delete on pending_grants to tidings_app, tidings_pipeline;
grant usage on sequence pending_grants_id_seq to tidings_app, tidings_pipeline;

-- The password of the demo's accounts is public, so a server without the demo refuses a database that holds it.
create table demo_region (seeded_at timestamptz not null);
comment on table demo_region is 'One row if the demo region is in this database.';
insert into demo_region select created_at from users where username = 'desmond.achterberg@lakeshore.example';
alter table demo_region enable row level security;
create policy pipeline on demo_region to tidings_pipeline using (true);
grant select, insert on demo_region to tidings_pipeline;
