-- Documents that facilities sent: C-CDA, PDF, RTF, text and pictures, with what was read from them.

create table document_contents (
  id bigint generated always as identity primary key,
  sha256 bytea not null unique check (length(sha256) = 32),
  size integer not null check (size > 0),
  media_type text not null,
  model bytea,
  reader_version smallint,
  problem text,
  received_at timestamptz not null
);
comment on table document_contents is 'The bytes of documents, each content once, however often and by whomever it was sent.';
comment on column document_contents.size is 'Bytes, before compression.';
comment on column document_contents.model is 'What was read from a clinical document: clinicalDocument of contract/clinical-documents.ts as JSON, compressed. Null for another document, and for one that cannot be read.';
comment on column document_contents.problem is 'Why a clinical document cannot be read, for its sender. Holds nothing of the document.';
-- Compressed already.
alter table document_contents alter column model set storage external;

create table document_content_chunks (
  content_id bigint not null references document_contents (id) on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (content_id, position)
);
comment on table document_content_chunks is 'A content, compressed as a whole (zlib), in parts, so that no statement holds all of it.';
alter table document_content_chunks alter column bytes set storage external;

create table documents (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  message_id bigint not null,
  ordinal smallint not null,
  group_id bigint not null references groups (id),
  source_patient_id bigint references source_patients (id),
  person_id bigint references persons (id),
  encounter_id bigint references encounters (id),
  visit_numbers text[] not null default '{}',
  visit_day date,
  act text not null check (act in ('NEW', 'ADDENDUM', 'REPLACE', 'CANCEL')),
  document_number text,
  parent_number text,
  status text not null default 'CURRENT' check (status in ('CURRENT', 'REPLACED', 'CANCELLED')),
  content_id bigint references document_contents (id),
  file_id bigint references document_contents (id),
  kind text not null check (kind in ('CCDA', 'PDF', 'RTF', 'TEXT', 'IMAGE', 'OTHER')),
  title text not null,
  type_code text,
  type text,
  is_discharge_summary boolean not null default false,
  author text,
  custodian text,
  written_at timestamptz not null,
  written text,
  is_restricted boolean not null default false,
  sent_at timestamptz not null,
  received_at timestamptz not null,
  unique (message_id, ordinal)
);
comment on table documents is 'A document in a message. Its patient is that of the fact of the message (facts), its visit is found by visit numbers, else by the day of admission.';
comment on column documents.group_id is 'The facility that sent it.';
comment on column documents.source_patient_id is 'Copied from the fact, whenever the dossier is settled. Null until then.';
comment on column documents.person_id is 'Copied from the source patient; written with it (server/record/matching/write-links.ts).';
comment on column documents.visit_day is 'The day of admission that the document names, at the facility.';
comment on column documents.act is 'What the message does: NEW also for a new version under the same number. A CANCEL has no content.';
comment on column documents.document_number is 'TXA-12, the filler order with OBX-3, or the id of a C-CDA document.';
comment on column documents.parent_number is 'The document that this one replaces or adds to (TXA-13, relatedDocument).';
comment on column documents.file_id is 'The file within a C-CDA document (nonXMLBody).';
comment on column documents.written_at is 'When it was written, else when it was received: for the order.';
comment on column documents.sent_at is 'When the message was sent, else received: a later message about the same number takes the place of an earlier one.';
comment on column documents.written is 'When it was written, as the document says.';
comment on column documents.is_restricted is 'Its sender marked it as restricted (confidentialityCode R or V, TXA-18): disclosed only with a consent, as by a 42 CFR Part 2 facility.';
create index on documents (person_id) where status = 'CURRENT';
create index on documents (encounter_id) where status = 'CURRENT';
create index on documents (source_patient_id);
create index on documents (group_id, document_number) where document_number is not null;
create index on documents (content_id);
create index on documents (file_id);

alter table documents enable row level security;
alter table document_contents enable row level security;
alter table document_content_chunks enable row level security;
-- As for visits: those of the groups' own facilities, and of persons whom the groups list or listed. Who may open one is decided by
-- mayReadDocument in server/people/access/policy.ts.
create policy of_readers on documents for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[])
  or person_id in (select r.person_id from roster_patients r where r.person_id = any ((select asked_persons())::bigint[]))
  or exists (select from roster_patients r where r.person_id = documents.person_id));
create policy of_readers on document_contents for select to tidings_app using (
  exists (select from documents d where d.content_id = document_contents.id or d.file_id = document_contents.id));
create policy of_readers on document_content_chunks for select to tidings_app using (
  exists (select from document_contents c where c.id = content_id));
create policy pipeline on documents to tidings_pipeline using (true);
create policy pipeline on document_contents to tidings_pipeline using (true);
create policy pipeline on document_content_chunks to tidings_pipeline using (true);
grant select on documents, document_contents, document_content_chunks to tidings_app;
grant select, insert, update, delete on documents, document_contents, document_content_chunks to tidings_pipeline;
grant usage on all sequences in schema tidings to tidings_pipeline;

-- Lists follow documents as they follow visits. A document has no person until its dossier is settled.
create function log_documents() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform log_persons(array_agg(person_id), array_agg(group_id)) from (
      select person_id, group_id from new_rows union all select person_id, group_id from old_rows) as changed
    where person_id is not null;
  else
    perform log_persons(array_agg(person_id), array_agg(group_id)) from old_rows where person_id is not null;
  end if;
  return null;
end $$;
revoke execute on function log_documents from public;
create trigger logs_update after update on documents referencing new table as new_rows old table as old_rows
  for each statement execute function log_documents();
create trigger logs_delete after delete on documents referencing old table as old_rows
  for each statement execute function log_documents();

-- Tokens with which a system posts documents (POST /api/documents). Only hashes are stored.
create table document_tokens (
  id bigint generated always as identity primary key,
  feed_id bigint not null references feeds (id),
  token_hash bytea not null unique,
  ending text not null,
  created_at timestamptz not null,
  created_by bigint references users (id),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by bigint references users (id),
  last_used_at timestamptz
);
comment on table document_tokens is 'Tokens of document feeds (kind CCDA).';
comment on column document_tokens.ending is 'The last four characters, by which people tell tokens apart.';
comment on column document_tokens.expires_at is 'Set when another token takes its place.';
create index on document_tokens (feed_id);
alter table document_tokens enable row level security;
create policy of_organization on document_tokens to tidings_app
  using (exists (select from feeds f where f.id = feed_id and administers(f.organization_id)))
  with check (exists (select from feeds f where f.id = feed_id and administers(f.organization_id)));
grant select, insert, update on document_tokens to tidings_app;
grant usage on all sequences in schema tidings to tidings_app;

create function use_document_token(hash bytea, used_at timestamptz) returns table (feed_id bigint, sender text)
language sql security definer set search_path = tidings, pg_temp as $$
  update document_tokens t set last_used_at = used_at from feeds f
  where t.token_hash = hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > used_at)
    and f.id = t.feed_id and f.kind = 'CCDA' and f.ended_at is null
  returning f.id, f.sending_application $$;
comment on function use_document_token is 'The feed of a token that is valid, and what its messages name as their sender. The caller is a system without an account, so no row is visible to it.';

create function document_message_outcome(message bigint, feed bigint) returns table (status text, reason text)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select m.status, m.reason from messages m where m.id = message and m.feed_id = feed $$;
comment on function document_message_outcome is 'What became of a document that a feed sent.';
revoke execute on function use_document_token, document_message_outcome from public;
grant execute on function use_document_token, document_message_outcome to tidings_app;
