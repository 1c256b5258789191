-- An upload says how its bytes were read, and whether that was probably wrong.
alter table roster_uploads
  add column encoding text check (encoding in ('UTF_8', 'UTF_16', 'WINDOWS_1252', 'UTF_8_AND_WINDOWS_1252')),
  add column garbled_cells integer not null default 0;
comment on column roster_uploads.encoding is 'How the bytes of the file were read; null for an undo, a file that could not be read, and uploads from before.';
comment on column roster_uploads.garbled_cells is 'Cells that were probably written in another encoding. Other cells of such a file may be wrong without a warning.';

-- Rows that look like one person are found when the whole file is checked.
grant insert, update on roster_upload_warnings to tidings_pipeline;
comment on table roster_upload_warnings is 'Cells of an upload that could not be read and were skipped, or that need a look, for its report. A table of its own, because applied rows are deleted.';
