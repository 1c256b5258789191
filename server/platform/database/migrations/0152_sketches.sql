-- Most people who share a birth date or a full name are strangers. A sketch beside the key shows it, so that they need not be read (docs/decisions/0115).
alter table blocking_keys add column sketch bytea;
comment on column blocking_keys.sketch is
  'What shows of most others who have the key that they can''t be alike (server/record/scoring/sketch.ts). Null beside numbers, phones and emails, and where an earlier version stored the key.';
