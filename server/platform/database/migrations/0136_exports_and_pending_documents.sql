-- An export is checked again when it is downloaded (docs/decisions/0081): what was under 42 CFR Part 2, and who held what, when it was read.
alter table export_jobs
  add column part2_group_ids bigint[] not null default '{}',
  add column held jsonb not null default '{}';
update export_jobs set part2_group_ids = array(select id from groups where is_part2_facility);
comment on column export_jobs.part2_group_ids is 'The 42 CFR Part 2 facilities when the data was read.';
comment on column export_jobs.held is 'For each permission that a column needs, the groups for which the user held it when the data was read.';

-- A document has no feed until it is read; until then its sender is known by the feed's name for it.
create or replace function document_message_outcome(message bigint, feed bigint) returns table (status text, reason text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select m.status, m.reason from messages m
  where m.id = message and (m.feed_id = feed or m.feed_id is null and m.source = 'CCDA'
    and m.sending_application = (select f.sending_application from feeds f where f.id = feed and f.kind = 'CCDA')) $$;
