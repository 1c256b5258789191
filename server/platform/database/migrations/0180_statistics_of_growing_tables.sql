-- The plans of statements that were first run on empty tables read each table as a whole. Autovacuum counts again after a minute; a backlog on a new
-- installation has been worked off at a fraction of the speed until then.
create function analyze_grown_tables() returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
declare
  grown name;
begin
  for grown in
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'tidings' and s.n_mod_since_analyze > greatest(500, c.reltuples)
      and s.relname in ('source_patients', 'facts', 'encounters', 'events', 'pings', 'management_statuses', 'person_links', 'persons', 'blocking_keys',
        'blocking_entries', 'shared_stays', 'roster_patients', 'record_openings')
  loop
    execute format('analyze %I', grown);
  end loop;
end $$;
comment on function analyze_grown_tables is 'Updates the statistics of tables that messages fill and that have doubled since: only their owner may.';
revoke execute on function analyze_grown_tables from public;
grant execute on function analyze_grown_tables to tidings_pipeline;
