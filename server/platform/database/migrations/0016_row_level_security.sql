-- Row-level security on every table about a person or a secret (docs/decisions/0032). The app role sees and writes what the settings of its
-- transaction say: tidings.user_id, tidings.group_ids, tidings.administers and tidings.purpose. Without settings it sees only the directory.

create function acts_for(purpose text) returns boolean
language sql stable as $$ select current_setting('tidings.purpose', true) is not distinct from purpose $$;
comment on function acts_for is 'Whether the current transaction runs for this purpose instead of for a user.';

create function administers(organization_id bigint) returns boolean
language sql stable as $$
  select coalesce(current_setting('tidings.administers', true) in ('everything', organization_id::text), false) $$;
comment on function administers is 'Whether the current transaction administers this organization. An operator''s administers every one.';

create function administers_everything() returns boolean
language sql stable as $$ select current_setting('tidings.administers', true) is not distinct from 'everything' $$;
comment on function administers_everything is 'Whether the current transaction is an operator''s.';

create function managed_groups() returns bigint[]
language sql stable security definer set search_path = tidings, pg_temp as $$
  select coalesce(array_agg(distinct n.group_id), '{}')
  from grants n join roles r on r.id = n.role_id
  where n.user_id = acting_user() and current_setting('tidings.administers', true) <> ''
    and 'canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed) $$;
comment on function managed_groups is 'The groups that the acting administrator manages, in any team. None unless the transaction administers.';

create function managed_feeds() returns bigint[]
language sql stable security definer set search_path = tidings, pg_temp as $$
  select coalesce(array_agg(f.id), '{}') from feeds f
  where administers(f.organization_id)
    and not exists (select from feed_facilities ff where ff.feed_id = f.id and ff.group_id <> all (managed_groups())) $$;
comment on function managed_feeds is 'The feeds of which the acting administrator manages every facility.';

-- What a transaction needs from rows that it may not read, one narrow function each.

create function name_of_user(user_id bigint) returns text
language sql stable security definer set search_path = tidings, pg_temp as $$
  select u.first_name || ' ' || u.last_name from users u where u.id = user_id $$;
comment on function name_of_user is 'For the author of a change, who may be an operator of another organization.';

create function kind_of_connection(connection_id bigint) returns text
language sql stable security definer set search_path = tidings, pg_temp as $$
  select c.kind from sso_connections c where c.id = connection_id $$;
comment on function kind_of_connection is 'How a user signs in, without the connection''s secret.';

create function organization_signs_in(organization_id bigint, experience text, username text) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from sso_connections c
    where c.organization_id = organization_signs_in.organization_id and (c.application_experience = experience or (
      c.is_enabled and c.kind in ('OIDC', 'SAML') and exists (
        select from email_domains d
        where d.organization_id = c.organization_id and d.domain = any (c.domains) and d.verified_at is not null
          and d.domain = substring(organization_signs_in.username from '[^@]*$'))))) $$;
comment on function organization_signs_in is 'Whether the organization has a connection for such a user. Users may not read the connections.';

create function feed_health(feed_id bigint, since timestamptz,
  out quarantined integer, out duplicates integer, out duplicate_at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select (select count(*)::int from messages m where m.feed_id = f.id and m.status = 'QUARANTINED'), d.count::int, d.last_at
  from feeds f cross join lateral (
    select count(*), max(m.received_at) as last_at from messages m
    where m.feed_id = f.id and m.status = 'DUPLICATE' and m.received_at >= since) d
  where f.id = feed_health.feed_id and administers(f.organization_id) $$;
comment on function feed_health is 'Counts for the list of feeds, which also shows feeds whose messages the administrator may not read.';

create function post_letter(channel text, recipient text, subject text, body text, created_at timestamptz, task text, max_attempts integer)
returns void
language sql security definer set search_path = tidings, pg_temp as $$
  with letter as (
    insert into outbox (channel, recipient, subject, body, created_at)
    values (channel, recipient, subject, body, created_at) returning id)
  select enqueue_job(task => task, payload => json_build_object('letterId', id::text), job_key => 'letter:' || id,
    max_attempts => max_attempts)
  from letter $$;
comment on function post_letter is 'Queues a letter. Letters contain links, so the app role cannot read them back.';

create function was_mailed(recipient text, subject text, since timestamptz) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (select from outbox o
    where o.recipient = was_mailed.recipient and o.subject = was_mailed.subject and o.created_at > since) $$;
comment on function was_mailed is 'Whether this letter was queued since then, so that strangers cannot flood a mailbox.';

-- Patient data. A visit is open to its facility, and to groups that list its person, have done so, or were pinged about it. Which of them may
-- read it now is decided by server/people/access/policy.ts.

-- Looking up each row costs the search as much again as reading it. It names the persons whom it reads, so that one look-up of their
-- listings covers all their rows; that opens nothing more, because the listings are those that the groups may see.
create function asked_persons() returns bigint[]
language sql stable as $$ select nullif(current_setting('tidings.person_ids', true), '')::bigint[] $$;
comment on function asked_persons is 'The persons whom the current transaction reads, if it says so. It may see only those whom its groups list.';

alter table encounters enable row level security;
create policy of_readers on encounters for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[])
  or person_id in (select r.person_id from roster_patients r where r.person_id = any ((select asked_persons())::bigint[]))
  or exists (select from roster_patients r where r.person_id = encounters.person_id)
  or exists (select from pings p where p.encounter_id = encounters.id));

alter table events enable row level security;
create policy of_encounter on events for select to tidings_app using (
  encounter_id in (select e.id from encounters e where e.person_id = any ((select asked_persons())::bigint[]))
  or exists (select from encounters e where e.id = events.encounter_id));

alter table source_patients enable row level security;
create policy of_readers on source_patients for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[])
  or exists (select from roster_patients r where r.person_id = source_patients.person_id)
  or group_id = any ((select managed_groups())::bigint[])
  or (select administers_everything()));

alter table facts enable row level security;
create policy of_facility on facts for select to tidings_app using (
  (select administers_everything())
  or exists (
    select from source_patients s where s.id = facts.source_patient_id
      and (s.group_id = any ((select current_groups())::bigint[]) or s.group_id = any ((select managed_groups())::bigint[]))));

alter table match_reviews enable row level security;
create policy of_group on match_reviews for select to tidings_app using (
  group_id = any ((select current_groups())::bigint[])
  or (select administers_everything()));

alter table consents enable row level security;
create policy of_group on consents for select to tidings_app using (
  recipient_group_id = any ((select current_groups())::bigint[])
  or facility_group_id = any ((select current_groups())::bigint[]));

alter table persons enable row level security;
alter table person_links enable row level security;
alter table blocking_keys enable row level security;
alter table shared_stays enable row level security;
revoke all on persons, person_links from tidings_app;

-- A status always belongs to a group; without one it would be anyone's to write.
alter policy of_group on management_statuses
  with check (cardinality(group_ids) > 0 and group_ids <@ (select current_groups()));

-- Messages are raw patient data: an administrator's, of feeds whose every facility they manage, or that were applied to their facilities; a
-- group's own manual entries.

alter table messages enable row level security;
alter table message_digests enable row level security;
revoke insert on messages, message_digests from tidings_app;
create policy of_administrator on messages to tidings_app using (
  (select administers_everything())
  or feed_id = any ((select managed_feeds())::bigint[])
  or source = 'MANUAL' and sending_facility = any ((select current_groups())::text[])
  or exists (select from feeds f where f.id = messages.feed_id and administers(f.organization_id))
    and exists (select from facts k where k.message_id = messages.id));
create policy of_adoption on messages to tidings_app using (acts_for('adoption') and status = 'QUARANTINED');

alter table feed_counts enable row level security;
create policy of_organization on feed_counts to tidings_app using (
  exists (select from feeds f where f.id = feed_counts.feed_id and administers(f.organization_id)));

alter table change_log enable row level security;
create policy of_followers on change_log for select to tidings_app using (acts_for('changes'));
create policy of_calls on change_log for insert to tidings_app
  with check ((select acting_user()) is not null or acts_for('sign-in'));

-- Accounts. Their rows are open to their user, to those who administer the organization, and to the steps of a sign-in.

alter table users enable row level security;
create policy of_account on users for select to tidings_app using (
  id = (select acting_user()) or administers(organization_id) or acts_for('sign-in'));
create policy change_account on users for update to tidings_app using (
  id = (select acting_user()) or administers(organization_id) or acts_for('sign-in'));
create policy invite on users for insert to tidings_app with check (administers(organization_id));

-- Everything but who someone is, where they belong, and whether they are an operator. Only the pipeline's role makes operators.
revoke insert, update on users from tidings_app;
do $$
declare
  changeable text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into changeable from pg_attribute
  where attrelid = 'tidings.users'::regclass and attnum > 0 and not attisdropped
    and attname not in ('id', 'organization_id', 'username', 'is_operator');
  execute format('grant insert (organization_id, username, %1$s), update (%1$s) on users to tidings_app', changeable);
end $$;

do $$
declare
  account_table text;
begin
  -- Rows of an account are open to whoever the account is open to.
  foreach account_table in array array['sessions', 'account_tokens', 'recovery_codes', 'passkeys', 'sign_in_challenges', 'grants'] loop
    execute format('alter table %I enable row level security', account_table);
    execute format('create policy of_account on %1$I%2$s to tidings_app using (
      user_id = (select acting_user()) or acts_for(''sign-in'') or exists (select from users u where u.id = %1$I.user_id))',
      account_table, case when account_table = 'grants' then ' for select' else '' end);
  end loop;
  -- No administrator has to do with these.
  foreach account_table in array array['devices', 'password_history', 'phone_verifications', 'opt_outs', 'export_jobs'] loop
    execute format('alter table %I enable row level security', account_table);
    execute format('create policy of_user on %I to tidings_app using (user_id = (select acting_user()))', account_table);
  end loop;
  foreach account_table in array array['devices', 'password_history'] loop
    execute format('create policy of_sign_in on %I to tidings_app using (acts_for(''sign-in''))', account_table);
  end loop;
  -- Written by browsers before and after the sign-in, and read by no page.
  foreach account_table in array array['client_errors', 'usage_events'] loop
    execute format('alter table %I enable row level security', account_table);
    execute format('create policy of_call on %I for insert to tidings_app
      with check (user_id = (select acting_user()) or acts_for(''sign-in''))', account_table);
  end loop;
end $$;
revoke all on client_errors, usage_events, export_jobs from tidings_app;
grant insert on client_errors, usage_events to tidings_app;
grant select on export_jobs to tidings_app;

create policy administer on grants to tidings_app using (
  exists (select from groups g where g.id = grants.group_id and administers(g.organization_id)));

-- The account is a hash of the username, with or without such a user. An administrator sees who is locked.
alter table sign_in_places enable row level security;
create policy of_sign_in on sign_in_places to tidings_app using (
  acts_for('sign-in')
  or account = (select sha256(convert_to(u.username, 'UTF8')) from users u where u.id = (select acting_user()))
  or coalesce(current_setting('tidings.administers', true), '') <> '');

alter table used_assertions enable row level security;
create policy of_sign_in on used_assertions to tidings_app using (acts_for('sign-in'));

alter table sso_connections enable row level security;
create policy of_organization on sso_connections to tidings_app using (administers(organization_id));
create policy of_sign_in on sso_connections for select to tidings_app using (acts_for('sign-in'));

alter table email_domains enable row level security;
create policy of_organization on email_domains to tidings_app using (administers(organization_id));
create policy of_sign_in on email_domains for select to tidings_app using (acts_for('sign-in'));

alter table access_requests enable row level security;
create policy of_administrator on access_requests to tidings_app using (
  exists (select from groups g where g.id = access_requests.group_id and administers(g.organization_id)));
create policy of_sign_in on access_requests to tidings_app using (acts_for('sign-in'));

alter table outbox enable row level security;
revoke all on outbox from tidings_app;
grant select on outbox to tidings_app;
create policy of_mailbox on outbox for select to tidings_app using (acts_for('mailbox'));

-- The directory tells nothing about a person: every call reads it. Only administrators write their organization's.

do $$
declare
  directory_table text;
begin
  foreach directory_table in array array['organizations', 'groups', 'teams', 'roles', 'feeds', 'team_groups', 'feed_facilities'] loop
    execute format('alter table %I enable row level security', directory_table);
    execute format('create policy of_everyone on %I for select to tidings_app using (true)', directory_table);
  end loop;
  foreach directory_table in array array['groups', 'teams', 'roles', 'feeds'] loop
    execute format('create policy of_organization on %I to tidings_app using (administers(organization_id))
      with check (organization_id is not null and administers(organization_id))', directory_table);
  end loop;
end $$;
create policy of_itself on organizations to tidings_app using (administers(id));
create policy of_organization on team_groups to tidings_app using (
  exists (select from teams t where t.id = team_groups.team_id and administers(t.organization_id)));
create policy of_organization on feed_facilities to tidings_app using (
  exists (select from feeds f where f.id = feed_facilities.feed_id and administers(f.organization_id)));

-- Without a user only the steps before a sign-in leave an entry.
alter policy of_own_actions on audit_entries
  with check (user_id = (select acting_user()) or user_id is null and acts_for('sign-in'));

-- The pipeline works on messages and jobs of everyone.
do $$
declare
  open_table text;
begin
  for open_table in
    select c.relname from pg_class c
    where c.relnamespace = 'tidings'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and not c.relispartition
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'pipeline')
  loop
    execute format('create policy pipeline on %I to tidings_pipeline using (true)', open_table);
  end loop;
end $$;

grant execute on function asked_persons, acts_for, administers, administers_everything, managed_groups, managed_feeds, name_of_user,
  kind_of_connection, organization_signs_in, feed_health, post_letter, was_mailed to tidings_app, tidings_pipeline;

-- A change of disclosure under 42 CFR Part 2 is logged as such, so that no list answers from what was read before it.

create or replace function log_facilities() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select 'group', case when n.is_part2_facility <> o.is_part2_facility then 'disclosure' else 'facility' end, n.id, now()
  from new_rows n join old_rows o on o.id = n.id
  where (n.name, n.state, n.type, n.facility_type, n.time_zone, n.is_part2_facility)
    is distinct from (o.name, o.state, o.type, o.facility_type, o.time_zone, o.is_part2_facility);
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;

create function log_consents() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, subject_id, changed_at)
  select distinct 'person', 'disclosure', c.person_id, now() from new_rows c;
  if tg_op = 'UPDATE' then
    insert into change_log (kind, change, subject_id, changed_at)
    select distinct 'person', 'disclosure', c.person_id, now() from old_rows c;
  end if;
  perform pg_notify('tidings_changes', '');
  return null;
end $$;
drop trigger logs_insert on consents;
drop trigger logs_update on consents;
create trigger logs_insert after insert on consents referencing new table as new_rows
  for each statement execute function log_consents();
create trigger logs_update after update on consents referencing new table as new_rows old table as old_rows
  for each statement execute function log_consents();
