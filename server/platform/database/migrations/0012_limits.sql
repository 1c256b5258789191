-- Addresses of senders whose connections are reserved. Uploads that are still being received.

create table mllp_senders (
  address text primary key,
  last_message_at timestamptz not null
);
comment on table mllp_senders is 'Addresses from which a message of a feed came in the last 30 days (server/intake/mllp/known-senders.ts).';
alter table mllp_senders enable row level security;
grant select, insert, update, delete on mllp_senders to tidings_pipeline;

alter table roster_uploads drop constraint roster_uploads_status_check;
alter table roster_uploads add constraint roster_uploads_status_check check (status in ('RECEIVING', 'RECEIVED', 'VALIDATING',
  'AWAITING_CONFIRMATION', 'APPLYING', 'DONE', 'FAILED', 'CANCELLED'));
alter table roster_uploads add receiving_until timestamptz;
comment on column roster_uploads.receiving_until is 'While RECEIVING: renewed as the file arrives. Afterwards the process that received it is dead, and the upload may be removed.';
drop index roster_uploads_running;
create unique index roster_uploads_running on roster_uploads (group_id)
  where status in ('RECEIVING', 'RECEIVED', 'VALIDATING', 'AWAITING_CONFIRMATION', 'APPLYING');
grant delete on roster_uploads to tidings_app;
-- The app removes only uploads that were never received completely.
create policy only_receiving on roster_uploads as restrictive for delete to tidings_app using (status = 'RECEIVING');
