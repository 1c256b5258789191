-- Open pages learn of held patients.
alter table change_log drop constraint change_log_kind_check;
alter table change_log add constraint change_log_kind_check
  check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person', 'work', 'feed', 'viewers', 'held', 'replica'));
