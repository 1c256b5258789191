-- A connection sends people away only after someone of the organization has signed in through it: a wrong issuer would keep everyone out.
alter table sso_connections add tested_at timestamptz;
comment on column sso_connections.tested_at is 'When someone of the organization last signed in through the identity provider as it is set up now. Without it, the connection cannot be enabled.';
-- Connections in use keep working.
update sso_connections set tested_at = created_at where is_enabled;

comment on column sign_in_challenges.user_id is 'Whose step it is. For a single sign-on: the administrator who tests the connection; null for a real one.';

alter table groups add asked_by bigint references users;
comment on column groups.asked_by is 'Who last asked an operator to approve manual entry at the facility; null if no one has.';
alter table groups add declined_at timestamptz;
comment on column groups.declined_at is 'When an operator declined manual entry at the facility. Asking again removes it.';
