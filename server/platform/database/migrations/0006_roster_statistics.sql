-- A large roster fills empty tables at once. Until autovacuum has looked at them, a minute later or so, PostgreSQL plans as if they were
-- small, and messages take several times as long. Only an owner may analyze, so the pipeline does it by this function.
create function analyze_rosters() returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  analyze roster_patients, blocking_keys, persons;
end $$;
grant execute on function analyze_rosters to tidings_pipeline;
