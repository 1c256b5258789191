-- Who changed a status is shown by name; the name may change later, and the reader may not see the account.

alter table management_statuses add column display_name text;
comment on column management_statuses.display_name is 'The name of the user at that time; null for the system, and in records from before it was kept.';
