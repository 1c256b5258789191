-- A cell that can't be read and isn't required costs its value, not the row.
create table roster_upload_warnings (
  upload_id bigint not null references roster_uploads (id) on delete cascade,
  row_number integer not null,
  member_id text not null,
  warnings jsonb not null,
  primary key (upload_id, row_number)
);
comment on table roster_upload_warnings is 'Cells of an upload that could not be read and were skipped, for its report. A table of its own, because applied rows are deleted.';
alter table roster_upload_warnings enable row level security;
create policy of_upload on roster_upload_warnings to tidings_app
  using (exists (select from roster_uploads u where u.id = upload_id and u.group_id = any ((select current_groups())::bigint[])));
create policy pipeline on roster_upload_warnings to tidings_pipeline using (true);
grant insert, select on roster_upload_warnings to tidings_app;
grant select on roster_upload_warnings to tidings_pipeline;

alter table roster_uploads add column warnings_by_column jsonb not null default '{}',
  add column has_day_first boolean not null default false;
comment on column roster_uploads.has_day_first is 'Whether the dates of birth were read as DD/MM/YYYY.';
