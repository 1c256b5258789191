-- Whoever opens an upload learns whose link it came by: the name that was typed with it proves nothing.
alter table documents add column uploaded_for text;
comment on column documents.uploaded_by is 'The name that whoever uploaded it by a link typed; null for a document that a system sent. Never stands before what a system sent.';
comment on column documents.uploaded_for is 'The organization whose link it came by; null for a document that a system sent, and for uploads from before it was stored.';
