alter table roster_uploads add unplaced_rows integer not null default 0;
comment on column roster_uploads.unplaced_rows is 'Rows whose member id is of no use and that name nobody who is listed: an upload that has such and would remove people waits for a confirmation.';
comment on table roster_upload_rows is 'The rows of a file until it is applied or cancelled; those with errors stay for the error report, by then without their cells.';

create table shared_stays (
  feed_id bigint not null references feeds,
  mark text not null,
  group_id bigint not null references groups,
  record_number text not null,
  primary key (feed_id, mark)
);
comment on table shared_stays is 'Of feeds that send for several facilities: under which record number of which facility a stay was first heard of. mark: a hash (server/encounters/same-stay.ts) of what the stay is known by at all of them.';
grant select, insert, update, delete on shared_stays to tidings_pipeline;
