-- The feeds page suggests which codes mean observation, from how often outpatients had them.

create table outpatient_codes (
  feed_id bigint not null,
  month date not null,
  field text not null check (field in ('PV1-10', 'PV1-18')),
  code text not null,
  arrivals integer not null default 0,
  discharges integer not null default 0,
  long_stays integer not null default 0,
  primary key (feed_id, month, field, code)
);
comment on table outpatient_codes is 'How often the outpatients of a feed (by PV1-2) had a hospital service or patient type. Counts only.';
comment on column outpatient_codes.month is 'The first day of the month, in UTC, in which the messages were processed.';
comment on column outpatient_codes.long_stays is 'Discharges from a bed, hours after the arrival.';
alter table outpatient_codes enable row level security;
create policy of_organization on outpatient_codes for select to tidings_app using (
  exists (select from feeds f where f.id = outpatient_codes.feed_id and administers(f.organization_id)));
create policy pipeline on outpatient_codes to tidings_pipeline using (true);
grant select on outpatient_codes to tidings_app;
grant select, insert, update on outpatient_codes to tidings_pipeline;
