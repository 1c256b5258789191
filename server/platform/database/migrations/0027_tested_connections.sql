-- A connection sends people away only after someone of the organization has signed in through it: a wrong issuer would keep everyone out.
alter table sso_connections add tested_at timestamptz;
comment on column sso_connections.tested_at is 'When someone of the organization last signed in through the identity provider as it is set up now. Without it, the connection cannot be enabled.';
-- Connections in use keep working.
update sso_connections set tested_at = created_at where is_enabled;

comment on column sign_in_challenges.user_id is 'Whose step it is. For a single sign-on: the administrator who tests the connection; null for a real one.';

alter table groups add asked_by bigint references users;
comment on column groups.asked_by is 'Who last asked an operator to approve manual entry at the facility; null if no one has.';

-- Only US states and territories. What was typed in lower case is kept; anything else is not recorded any more.
update groups set state = upper(trim(state)) where state is not null;
update groups set state = null where state not in (
  'AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL',
  'IN', 'IA', 'KS', 'KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE',
  'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD',
  'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY', 'AS', 'GU', 'MP', 'PR', 'VI');
