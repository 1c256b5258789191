-- An organization's claims to email domains. A connection uses those of its domains that are verified.
create table email_domains (
  organization_id bigint not null references organizations,
  domain text not null,
  token text not null default replace(gen_random_uuid()::text, '-', ''),
  verified_at timestamptz,
  verified_by text check (verified_by in ('DNS', 'OPERATOR')),
  primary key (organization_id, domain),
  check ((verified_at is null) = (verified_by is null))
);
comment on table email_domains is 'Email domains of organizations. Only verified ones route sign-ins and link users.';
comment on column email_domains.token is 'Published in the TXT record that verifies the domain.';
grant select, insert, update on email_domains to tidings_app;
grant select, insert, update, delete on email_domains to tidings_pipeline;

-- Until now, an EHR without domains could link any user of its organization.
update sso_connections c set domains = array(
  select distinct substring(u.username from '[^@]*$') from users u
  where u.organization_id = c.organization_id and not u.is_operator and u.username like '%@%' order by 1)
where c.kind = 'SMART' and c.domains = '{}';

insert into email_domains (organization_id, domain, verified_at, verified_by)
select c.organization_id, domain, min(c.created_at), 'OPERATOR'
from sso_connections c cross join unnest(c.domains) as domain group by c.organization_id, domain;

alter table sessions add column launch_connection_id bigint references sso_connections on delete set null;
comment on column sessions.launch_connection_id is 'The connection of the EHR that launched the session, which alone may show its pages in a frame.';
