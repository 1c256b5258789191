-- A date such as 03/04/2026 can be read in two ways. What a feed's other dates show helps its administrator to choose.
create table feed_date_orders (
  feed_id bigint not null references feeds,
  seen text not null check (seen in ('MDY', 'DMY', 'EITHER')),
  messages integer not null,
  last_at timestamptz not null,
  primary key (feed_id, seen)
);
comment on table feed_date_orders is 'How many messages had a date with the year last that can only be month/day (MDY) or day/month (DMY), or either. A message that is processed again counts again.';
alter table feed_date_orders enable row level security;
create policy of_organization on feed_date_orders to tidings_app using (
  exists (select from feeds f where f.id = feed_date_orders.feed_id and administers(f.organization_id)));
create policy pipeline on feed_date_orders to tidings_pipeline using (true);
grant select on feed_date_orders to tidings_app;
grant insert, select, update on feed_date_orders to tidings_pipeline;
