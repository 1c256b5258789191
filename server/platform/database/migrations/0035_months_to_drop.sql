-- PostgreSQL may read the month from the names of all tables before it looks which are months. So the months are found first.
create or replace function drop_partitions(parent text, before date) returns setof text
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  child text;
  is_needed boolean := false;
begin
  if parent not in ('messages', 'audit_entries') then raise exception '% has no months to drop', parent; end if;
  if parent = 'audit_entries' and before > current_date - interval '6 years' then
    raise exception 'audit entries are kept for six years';
  end if;
  for child in
    with months as materialized (
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = format('tidings.%I', parent)::regclass
    )
    select relname from months where to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= before order by relname
  loop
    if parent = 'messages' then
      execute format('select exists (select from %I where status in (''PENDING'', ''QUARANTINED''))', child) into is_needed;
    end if;
    if not is_needed then
      execute format('drop table %I', child);
      return next child;
    end if;
  end loop;
end $$;
