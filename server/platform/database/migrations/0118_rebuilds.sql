-- Stored messages are read again, by today's reader and settings, and facts that read differently are replaced (docs/decisions/0088).

create table rebuild_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  last_message bigint not null,
  after_message bigint not null default 0,
  read integer not null default 0,
  changed integer not null default 0,
  unread integer not null default 0,
  finished_at timestamptz
);
comment on table rebuild_runs is 'Runs of npm run rebuild. At most one is under way; it goes on after after_message, up to last_message.';
comment on column rebuild_runs.unread is 'Messages that would give no facts today, and keep those that they gave.';
create unique index rebuild_runs_under_way on rebuild_runs ((true)) where finished_at is null;

create table rebuild_failures (
  run_id bigint not null references rebuild_runs (id),
  message_id bigint not null,
  reason text not null check (length(reason) <= 500),
  primary key (run_id, message_id)
);
comment on table rebuild_failures is 'Messages that a rebuild left as they were, and why: without anything from the message.';

alter table rebuild_runs enable row level security;
alter table rebuild_failures enable row level security;
create policy pipeline on rebuild_runs to tidings_pipeline using (true);
create policy pipeline on rebuild_failures to tidings_pipeline using (true);
grant select, insert, update on rebuild_runs to tidings_pipeline;
grant select, insert on rebuild_failures to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline;
