-- The only way for the app to enqueue a job; it can neither see nor change the queue. Returns the job's id.
-- The meaning of each parameter is that of graphile_worker.add_job; null takes its default.
create function tidings.enqueue_job(
  task text,
  payload json default null,
  queue text default null,
  run_at timestamptz default null,
  max_attempts integer default null,
  job_key text default null,
  priority integer default null,
  job_key_mode text default 'replace'
) returns bigint
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select id from graphile_worker.add_job(
      identifier => task, payload => payload, queue_name => queue, run_at => run_at, max_attempts => max_attempts,
      job_key => job_key, priority => priority, job_key_mode => job_key_mode
    );
  $$;

grant execute on function tidings.enqueue_job to tidings_app, tidings_pipeline;
