-- A second person for manual entry at a facility, and for access that administrators ask for. Guesses count for a whole organization.

alter table groups rename column roster_approved_at to approved_at;
alter table groups rename column roster_approved_by to approved_by;
alter table groups rename constraint groups_roster_approved_by_fkey to groups_approved_by_fkey;
comment on column groups.approved_at is 'When an operator approved that the group lists people: a program by rosters, a facility by manual entry. Until then it lists no one in that way.';
comment on column groups.approved_by is 'Null for groups that are older than approvals.';
-- Facilities that exist keep working.
update groups set approved_at = created_at where type <> 'PROGRAM' and approved_at is null;

alter table users add invited_by bigint references users, add appointed_by bigint references users, add appointed_at timestamptz;
comment on column users.invited_by is 'The administrator who created the account. Null: created by an operator''s tools, or before it was recorded.';
comment on column users.appointed_by is 'Who gave this user canManageUsers when they held it for no group. They do not confirm that administrator''s requests for 90 days.';
grant insert (invited_by), update (appointed_by, appointed_at) on users to tidings_app;
update users u set invited_by = e.user_id from audit_entries e join users i on i.id = e.user_id
where e.action = 'user.invite' and e.subject = 'user' and e.subject_id = u.id and e.at > now() - interval '90 days';

-- A limit for each group would multiply with the groups that an administrator adds. The rows are hashes.
create policy of_organization on identity_attempts for select to tidings_app using (
  group_id in (select o.id from groups g join groups o on o.organization_id = g.organization_id
    where g.id = any ((select current_groups())::bigint[])));
drop index identity_attempts_group_id_key_at_idx;
create index on identity_attempts (key, group_id, at);
