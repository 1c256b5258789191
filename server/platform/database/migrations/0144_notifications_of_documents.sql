-- The mail about a discharge summary that was uploaded by a link leads to the patient's documents.
alter table notifications add column opens_documents boolean not null default false;
comment on column notifications.opens_documents is 'The link opens the documents of the patient, not the patient.';
comment on column notifications.patient_id is 'Of a correction of one ping, and of a document: the listing and the encounter that its link opens, as in the URL of a patient.';
