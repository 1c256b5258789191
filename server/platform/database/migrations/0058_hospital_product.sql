-- canViewHospitalProduct guards the pages under /hospital from now on. Roles that an organization made, and hospital users have, get it, so that no one
-- loses a page with the upgrade. The standard roles get it at the start of the server.
update roles set permissions = array_append(permissions, 'canViewHospitalProduct')
where organization_id is not null and not 'canViewHospitalProduct' = any (permissions)
  and exists (
    select from grants n join users u on u.id = n.user_id
    where n.role_id = roles.id and u.application_experience in ('ANAHIT', 'ANAHIT_ENTERPRISE_SSO', 'ANAHIT_AUTH0_SSO'));
