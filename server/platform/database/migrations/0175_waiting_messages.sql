-- A message waited among all that were stored before it: it was written into each index of its month before it was acknowledged, and again when it
-- was processed. Now what waits is a part of its own, small however many messages are stored, and a message moves to its month when it is settled
-- (docs/decisions/0126).

do $$
declare
  next_id constant bigint := nextval('messages_id_seq');
begin
  drop policy of_message on message_dismissals;
  drop policy of_administrator on messages;
  drop policy of_adoption on messages;
  drop policy pipeline on messages;
  revoke all on messages from tidings_app, tidings_pipeline;
  alter table messages alter id drop identity;
  alter table messages rename to messages_archive;
  alter index messages_pkey rename to messages_archive_pkey;
  alter index messages_control_id_idx rename to messages_archive_control_id_idx;
  alter index messages_feed_id_id_idx rename to messages_archive_feed_id_id_idx;
  alter index messages_status_id_idx rename to messages_archive_status_id_idx;

  create table messages (like messages_archive including defaults including constraints including comments) partition by list (status);
  alter table messages alter id add generated always as identity;
  execute format('alter table messages alter id restart with %s', next_id);
end $$;

create table messages_waiting partition of messages (primary key (id)) for values in ('PENDING')
  -- Vacuum would lock the intake out while it gives space back, which the next messages need.
  with (vacuum_truncate = off);
create index on messages_waiting (sender, id);
with waiting as (delete from messages_archive where status = 'PENDING' returning *)
insert into messages_waiting overriding system value select * from waiting;
drop index messages_queue;
alter table messages attach partition messages_archive for values in ('APPLIED', 'NOT_ACTED_ON', 'QUARANTINED', 'DUPLICATE');

comment on table messages is 'Every message as received, stored before it is acknowledged. lane is a hash of source and patient; a lane is processed in order.';
comment on table messages_waiting is 'The queue. A message is written here first, and leaves for its month when it is settled; a replay brings it back. reason says why a message can''t be read at all.';
comment on table messages_archive is 'Settled messages, by month.';
comment on column messages_archive.sender is null;

alter table messages enable row level security;
alter table messages_waiting enable row level security;
create policy of_administrator on messages to tidings_app using (
  (select administers_everything())
  or feed_id = any ((select managed_feeds())::bigint[])
  or source in ('MANUAL', 'LINK') and sending_facility = any ((select current_groups())::text[])
  or exists (select from feeds f where f.id = messages.feed_id and administers(f.organization_id))
    and exists (select from facts k where k.message_id = messages.id));
create policy of_adoption on messages to tidings_app using (acts_for('adoption') and status = 'QUARANTINED');
create policy pipeline on messages to tidings_pipeline using (true);
create policy of_message on message_dismissals to tidings_app using (exists (select from messages m where m.id = message_id))
  with check (exists (select from messages m where m.id = message_id));
grant select, update (status, reason, attempts, processed_at, feed_id, sender) on messages to tidings_app;
grant select, insert, update, delete on messages to tidings_pipeline;
grant usage on messages_id_seq to tidings_app, tidings_pipeline;

create or replace function ensure_partitions(from_day date, to_day date) returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  parent text;
  month date;
begin
  foreach parent in array array['messages', 'audit_entries', 'usage_events'] loop
    for month in select generate_series(date_trunc('month', from_day::timestamp), to_day::timestamp, interval '1 month')::date loop
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYY_MM'), case parent when 'messages' then 'messages_archive' else parent end,
        month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    end loop;
  end loop;
end $$;

create or replace function drop_partitions(parent text, before date) returns setof text
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  child text;
  is_needed boolean := false;
begin
  if parent not in ('messages', 'audit_entries') then raise exception '% has no months to drop', parent; end if;
  if parent = 'audit_entries' and before > current_date - interval '6 years' then
    raise exception 'audit entries are kept for six years';
  end if;
  for child in
    with months as materialized (
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = (case parent when 'messages' then 'messages_archive' else 'audit_entries' end)::regclass
    )
    select relname from months where to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= before order by relname
  loop
    if parent = 'messages' then
      execute format('select exists (select from %I where status = ''QUARANTINED'')', child) into is_needed;
    end if;
    if not is_needed then
      execute format('drop table %I', child);
      return next child;
    end if;
  end loop;
end $$;
comment on function drop_partitions(text, date) is 'Drops the months that ended before a day, and returns their names. Keeps months with messages in quarantine.';
