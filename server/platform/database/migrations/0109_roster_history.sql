-- Rosters are previewed before they are applied, can be undone for a day, and read a group's own headers.

alter table roster_uploads
  add column is_previewed boolean not null default false,
  add column listed_before integer not null default 0,
  add column matched_rows integer not null default 0,
  add column waits_until timestamptz,
  add column decided_by text,
  add column decided_at timestamptz,
  add column undoes bigint references roster_uploads (id);
comment on column roster_uploads.is_previewed is 'Whether someone confirms the upload after its preview, whatever it changes: so it is for files uploaded on the page.';
comment on column roster_uploads.listed_before is 'How many people the roster listed when the file was checked.';
comment on column roster_uploads.matched_rows is 'How many new and changed rows have been identified since the roster was replaced.';
comment on column roster_uploads.waits_until is 'When an upload that waits for its team is canceled. Null: it waits for an operator, or for no one.';
comment on column roster_uploads.decided_by is 'Username of who confirmed or canceled the upload last; null if no one did.';
comment on column roster_uploads.undoes is 'The upload that this one undoes: it has no file, and restores the list from before that upload.';
create unique index roster_uploads_undoes on roster_uploads (undoes) where undoes is not null and status in ('APPLYING', 'DONE');

alter table roster_uploads drop constraint roster_uploads_waits_for_check;
alter table roster_uploads add constraint roster_uploads_waits_for_check check (waits_for in ('OPERATOR', 'CONFIRMATION', 'PREVIEW'));

create table roster_upload_changes (
  upload_id bigint not null references roster_uploads (id) on delete cascade,
  kind text not null check (kind in ('ADDED', 'CHANGED', 'REMOVED')),
  position integer not null,
  row_number integer,
  listing_id bigint,
  primary key (upload_id, kind, position)
);
comment on table roster_upload_changes is 'What a waiting upload would change, numbered, so that any page of a preview is one range of the index. Deleted when the upload is applied or canceled.';
comment on column roster_upload_changes.row_number is 'The row of the file; null for a patient whom the file does not name.';
comment on column roster_upload_changes.listing_id is 'The listing that it changes or removes; null for a new one.';
alter table roster_upload_changes enable row level security;
create policy of_upload on roster_upload_changes to tidings_app
  using (exists (select from roster_uploads u where u.id = upload_id and u.group_id = any ((select current_groups())::bigint[])));
create policy pipeline on roster_upload_changes to tidings_pipeline using (true);
grant select on roster_upload_changes to tidings_app;
grant select, insert, delete on roster_upload_changes to tidings_pipeline;

create table roster_upload_before (
  upload_id bigint not null references roster_uploads (id) on delete cascade,
  listing_id bigint not null references roster_patients (id) on delete cascade,
  cells jsonb,
  content_hash bytea,
  relationship text,
  written_by bigint,
  attested_by bigint,
  opens_from timestamptz not null,
  primary key (upload_id, listing_id)
);
create index on roster_upload_before (listing_id);
comment on table roster_upload_before is 'The listings that an applied upload changed or removed, as they were before, while it can be undone. Those that it added are all others that it wrote.';
comment on column roster_upload_before.cells is 'As a row of a file; null for a listing that was removed, which still has its values.';
comment on column roster_upload_before.written_by is 'The upload that had written the listing.';
alter table roster_upload_before enable row level security;
create policy pipeline on roster_upload_before to tidings_pipeline using (true);
grant select, insert, delete on roster_upload_before to tidings_pipeline;

create table roster_headers (
  group_id bigint not null references groups (id) on delete cascade,
  header_key text not null,
  header text not null,
  column_name text,
  username text not null,
  changed_at timestamptz not null,
  primary key (group_id, header_key)
);
comment on table roster_headers is 'What a group''s own headers mean in its roster files (contract/roster-columns.ts); null: the column is ignored.';
comment on column roster_headers.header_key is 'The header in small letters and digits only.';
alter table roster_headers enable row level security;
create policy of_group on roster_headers to tidings_app using (group_id = any ((select current_groups())::bigint[]));
grant select, insert, update, delete on roster_headers to tidings_app;

grant delete on roster_upload_warnings to tidings_pipeline;
