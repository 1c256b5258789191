alter table roster_uploads add unplaced_rows integer not null default 0;
comment on column roster_uploads.unplaced_rows is 'Rows whose member id is of no use and that name nobody who is listed: an upload that has such and would remove people waits for a confirmation.';
comment on table roster_upload_rows is 'The rows of a file until it is applied or cancelled; those with errors stay for the error report, by then without their cells.';
