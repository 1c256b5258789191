-- Discharge summaries that someone at a facility uploads by a link.

alter table facility_links drop constraint facility_links_purpose_check;
alter table facility_links add constraint facility_links_purpose_check check (purpose in ('CONFIRM_DISCHARGE', 'UPLOAD_SUMMARY'));
alter table facility_links add column file bytea check (file is null or answered_at is not null);
comment on column facility_links.file is 'The uploaded file, until its message is stored. Not readable by people: what came of it is a document.';
-- Documents are compressed already, or soon will be.
alter table facility_links alter column file set storage external;

alter table documents add column uploaded_by text;
comment on column documents.uploaded_by is 'The name of the person at the facility who uploaded it by a link; null for a document that a system sent. Never stands before what a system sent.';
