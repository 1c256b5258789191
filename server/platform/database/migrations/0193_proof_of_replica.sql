-- A row of kind 'replica' is written at the primary and looked for at a hot standby, which shows by it that it follows this primary
-- (docs/decisions/0134). Those who follow the log write it.
alter table change_log
  drop constraint change_log_kind_check,
  add constraint change_log_kind_check
    check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person', 'work', 'feed', 'viewers', 'replica'));

create policy of_proofs on change_log for insert to tidings_app
  with check (kind = 'replica' and acts_for('changes'));
