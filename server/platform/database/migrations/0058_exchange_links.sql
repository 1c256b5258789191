-- Links to exchanges that an organization's administrators set, and a permission that guards pages from now on.

create table exchange_links (
  organization_id bigint not null references organizations (id),
  kind text not null check (kind in ('PULSE', 'VYNCA')),
  url text not null check (url like 'https://%'),
  fields jsonb not null,
  states text[] not null default '{}',
  primary key (organization_id, kind)
);
comment on table exchange_links is 'Where a patient''s record is opened at an exchange, by a form that the browser posts. The address has no placeholders, so that nothing about a patient is in a URL.';
comment on column exchange_links.fields is 'The fields of the form: names, and values with placeholders such as {lastName}.';
comment on column exchange_links.states is 'Of WISHIN Pulse: states of the patients whom it is offered for.';

alter table exchange_links enable row level security;
create policy of_members on exchange_links for select to tidings_app using (
  exists (select from users u where u.id = (select acting_user()) and u.organization_id = exchange_links.organization_id));
create policy of_sign_in on exchange_links for select to tidings_app using (acts_for('sign-in'));
create policy of_administrators on exchange_links to tidings_app using (administers(organization_id));
create policy pipeline on exchange_links to tidings_pipeline using (true);
grant select, insert, update, delete on exchange_links to tidings_app;
grant select, insert, update, delete on exchange_links to tidings_pipeline;

-- canViewHospitalProduct guards the pages under /hospital. Roles that an organization made, and hospital users have, get it, so that no one loses a page
-- with the upgrade. The standard roles get it at the start of the server.
update roles set permissions = array_append(permissions, 'canViewHospitalProduct')
where organization_id is not null and not 'canViewHospitalProduct' = any (permissions)
  and exists (
    select from grants n join users u on u.id = n.user_id
    where n.role_id = roles.id and u.application_experience in ('ANAHIT', 'ANAHIT_ENTERPRISE_SSO', 'ANAHIT_AUTH0_SSO'));
