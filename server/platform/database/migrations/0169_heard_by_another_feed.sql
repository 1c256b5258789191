-- Lists say what is true of a facility on several feeds of which one is silent (docs/decisions/0092). People may not read the counts themselves.
create function heard_by_another_feed(given_feed bigint, given_group bigint, after timestamptz) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from feeds f join feed_facilities l on l.feed_id = f.id
    where l.group_id = given_group and f.id <> given_feed and f.kind <> 'CCDA' and f.approved_at is not null and not f.is_backfill
      and case when exists (select from feed_facilities o where o.feed_id = f.id and o.group_id <> given_group)
        then exists (select from facility_hours h where h.feed_id = f.id and h.group_id = given_group and h.last_at > after)
        else exists (select from feed_counts c where c.feed_id = f.id and c.last_at > after) end) $$;
comment on function heard_by_another_feed is 'Whether a message about the facility came after this time by another feed than this one.';

revoke all on function heard_by_another_feed from public;
grant execute on function heard_by_another_feed to tidings_app;
