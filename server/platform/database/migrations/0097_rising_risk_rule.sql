-- By which rule an organization's teams list people as rising risk.

alter table organizations
  add column rising_risk_rule jsonb,
  add constraint rising_risk_rule_is_one check (rising_risk_rule is null
    or (jsonb_typeof(rising_risk_rule) = 'object' and pg_column_size(rising_risk_rule) < 1000));
comment on column organizations.rising_risk_rule is 'Its numbers (contract/rising-risk.ts); null where the product''s own hold.';
grant update (rising_risk_rule) on organizations to tidings_app;

-- The flags of everyone whom the organization's teams see are computed again. A team may have groups of other organizations.
create function log_rising_risk_rule() returns trigger
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  insert into change_log (kind, change, group_id, changed_at)
  select distinct 'group', 'bulk', t.group_id, now() from team_groups t join teams on teams.id = t.team_id
  where teams.organization_id = new.id and new.rising_risk_rule is distinct from old.rising_risk_rule;
  if found then perform pg_notify('tidings_changes', ''); end if;
  return null;
end $$;
comment on function log_rising_risk_rule is 'Logs a change of the rule for each group of the organization''s teams.';
revoke execute on function log_rising_risk_rule from public;
create trigger logs_rising_risk_rule after update on organizations for each row execute function log_rising_risk_rule();
