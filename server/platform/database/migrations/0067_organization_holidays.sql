-- What an organization's calendar of business days has besides the federal holidays. Due days of its teams depend on it.

alter table organizations
  add column added_holidays date[] not null default '{}',
  add column removed_holidays date[] not null default '{}',
  add constraint few_holidays check (cardinality(added_holidays) <= 100 and cardinality(removed_holidays) <= 100);
comment on column organizations.added_holidays is 'Weekdays on which the organization is closed, besides the federal holidays.';
comment on column organizations.removed_holidays is 'Federal holidays on which it works.';
grant update (added_holidays, removed_holidays) on organizations to tidings_app;

-- The due days of everyone whom the organization's groups list are computed again.
create function log_holidays() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select 'group', 'bulk', g.id, now() from groups g
  where g.organization_id = new.id
    and (new.added_holidays, new.removed_holidays) is distinct from (old.added_holidays, old.removed_holidays);
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;
comment on function log_holidays is 'Logs a change of the calendar for each group of the organization.';
revoke execute on function log_holidays from public;
create trigger logs_holidays after update on organizations for each row execute function log_holidays();
