-- Anyone who reaches the listener could fill the disk: messages of senders without a feed are kept until an operator looks at them.
create table unknown_sender_days (
  day date not null,
  address text not null,
  stored_bytes bigint not null,
  refused integer not null,
  refused_at timestamptz,
  primary key (day, address)
);
comment on table unknown_sender_days is 'What each address without a feed stored on a day (UTC), of the last week, and how many of its frames were refused (server/intake/mllp/stored-budget.ts).';
alter table unknown_sender_days enable row level security;
create policy of_operator on unknown_sender_days for select to tidings_app using ((select administers_everything()));
create policy pipeline on unknown_sender_days to tidings_pipeline using (true);
grant select on unknown_sender_days to tidings_app;
grant select, insert, update, delete on unknown_sender_days to tidings_pipeline;
