-- A correction of a single ping opens its patient: the ping may be in no list any more.
alter table notifications add column patient_id text;
comment on column notifications.patient_id is 'Of a correction of one ping: the listing and the encounter that its link opens, as in the URL of a patient.';
