-- Who asked for the sender that waits: the operator's decision is mailed to them.
alter table feeds add asked_by bigint references users;
comment on column feeds.asked_by is 'Who last asked an operator to approve a sender; null if no one has.';
