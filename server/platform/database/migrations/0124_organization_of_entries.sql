-- The audit log of administrators also has sign-ins and refusals, of which there are many. Whose log an entry is in is decided when it is
-- written, so that a page is read from an index.
alter table audit_entries
  add in_log boolean not null default false,
  add organization_id bigint;
comment on column audit_entries.in_log is 'Whether administrators see the entry in their audit log.';
comment on column audit_entries.organization_id is
  'Whose audit log has the entry. Null: only the operators''. Set by a trigger, and not part of the seals.';

create function organization_of_entry(actor bigint, action text, subject text, subject_id bigint) returns bigint
language sql stable security definer set search_path = tidings, pg_temp as $$
  select coalesce(
    -- What was refused may belong to someone else.
    case when action <> 'access.refused' then
      case subject
        when 'user' then (select u.organization_id from users u where u.id = subject_id)
        when 'organization' then (select o.id from organizations o where o.id = subject_id)
        when 'team' then (select t.organization_id from teams t where t.id = subject_id)
        when 'group' then (select g.organization_id from groups g where g.id = subject_id)
        when 'role' then (select r.organization_id from roles r where r.id = subject_id)
        when 'hl7-program' then (select p.organization_id from hl7_programs p where p.id = subject_id)
        when 'feed' then (select f.organization_id from feeds f where f.id = subject_id)
        when 'sso-connection' then (select c.organization_id from sso_connections c where c.id = subject_id)
        when 'access-request' then
          (select g.organization_id from access_requests q join groups g on g.id = q.group_id where q.id = subject_id)
      end
    end,
    (select u.organization_id from users u where u.id = actor)) $$;
comment on function organization_of_entry is 'The organization that an audit entry is about, or else the one of the user who acted.';
revoke execute on function organization_of_entry from public;

create function set_organization_of_entry() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  new.organization_id := organization_of_entry(new.user_id, new.action, new.subject, new.subject_id);
  return new;
end $$;
revoke execute on function set_organization_of_entry from public;

update audit_entries set in_log = true, organization_id = organization_of_entry(user_id, action, subject, subject_id)
where action in (
  'user.invite', 'user.change', 'user.ask-access', 'user.confirm-access', 'user.decline-access', 'user.withdraw-access', 'user.link',
  'user.provision', 'user.first-sign-in', 'user.deprovision', 'user.send-reset', 'user.end-session', 'user.disable', 'user.enable', 'user.resend-activation', 'user.send-unlock', 'user.end-sessions', 'user.reset-mfa',
  'password.set', 'password.change', 'mfa.enrol', 'mfa.remove', 'mfa.renew-codes', 'passkey.add', 'passkey.remove', 'phone.confirm',
  'organization.change', 'organization.record-settings', 'hl7-program.add', 'hl7-program.change', 'hl7-program.end',
  'team.add', 'team.change', 'team.end', 'group.add', 'group.change', 'group.approve', 'group.end', 'group.reopen',
  'roster.approve', 'roster.guess-pattern', 'role.add', 'role.change', 'role.end', 'access-request.grant', 'access-request.decline',
  'sso-connection.add', 'sso-connection.change', 'sso-connection.verify-domain', 'sso-connection.approve-domain',
  'sso-connection.revoke-domain', 'sso-connection.test', 'sso-connection.remove',
  'sso-connection.issue-token', 'sso-connection.revoke-token', 'sso-connection.add-group', 'sso-connection.rename-group',
  'sso-connection.end-group', 'sso-connection.group-access', 'sso-connection.new-users',
  'feed.add', 'feed.change', 'feed.approve', 'feed.decline', 'feed.pause', 'feed.resume', 'feed.replay', 'feed.end');
-- As the function has it. There are many of these, and the function takes longer for each than a look-up.
update audit_entries e set in_log = true, organization_id = (
  select u.organization_id from users u where u.id = case when e.action = 'access.refused' then e.user_id else coalesce(e.subject_id, e.user_id) end)
where action in ('sign-in', 'sign-in.failed', 'sign-in.locked', 'access.refused');

create trigger sets_organization before insert on audit_entries for each row when (new.in_log)
execute function set_organization_of_entry();

-- Filters by action and person read the index alone.
drop index audit_entries_at_id_idx;
create index audit_entries_in_log on audit_entries (at desc, id desc) where in_log;
create index audit_entries_of_organization on audit_entries (organization_id, at desc, id desc)
  include (action, user_id, subject, subject_id) where in_log;

-- Administrators read their organization's log, operators every one's, and no one who opened which patient.
drop policy of_administration on audit_entries;
drop policy of_organizations on audit_entries;
drop policy of_programs on audit_entries;
create policy of_log on audit_entries for select to tidings_app using (in_log and administers(organization_id));
