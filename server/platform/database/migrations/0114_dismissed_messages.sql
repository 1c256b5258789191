-- A quarantined message that no one will correct is dismissed with a reason, which can be undone (docs/decisions/0093).

create table message_dismissals (
  id bigint generated always as identity primary key,
  message_id bigint not null,
  cause text not null check (cause in ('TEST', 'RESENT', 'NOT_OURS', 'OTHER')),
  note text not null default '' check (length(note) <= 200),
  quarantine_reason text not null,
  dismissed_at timestamptz not null,
  dismissed_by bigint not null references users (id),
  display_name text not null,
  ended_at timestamptz
);
comment on table message_dismissals is 'Quarantined messages that someone dismissed: why, who, and what the quarantine said. A dismissal ends when it is undone or the message is replayed.';
comment on column message_dismissals.display_name is 'The name of the user at that time.';
create unique index message_dismissals_in_force on message_dismissals (message_id) where ended_at is null;
create index on message_dismissals (message_id);

alter table message_dismissals enable row level security;
create policy of_message on message_dismissals to tidings_app using (exists (select from messages m where m.id = message_id))
  with check (exists (select from messages m where m.id = message_id));
create policy pipeline on message_dismissals to tidings_pipeline using (true);
grant select, insert, update (ended_at) on message_dismissals to tidings_app;
grant select, delete on message_dismissals to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline, tidings_app;
