alter table roster_upload_rows alter column cells drop not null;
comment on column roster_upload_rows.cells is 'Null if the row says what is listed: nothing else changes the list while the upload is there.';
