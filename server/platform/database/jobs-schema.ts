import { Logger, makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';

/**
 * Migrates graphile-worker's schema with its own library, as the owner, and grants the pipeline role what it needs. The app role
 * gets no rights there: it enqueues through `tidings.enqueue_job` (0002_jobs.sql).
 */
export async function migrateJobs(owner: pg.Client): Promise<void> {
  // The library would create the schema, which the owner may not do. If this table exists, the library uses the schema as it is.
  await owner.query(`create table if not exists graphile_worker.migrations (
    id int primary key,
    ts timestamptz not null default now(),
    breaking boolean not null default false
  )`);
  const pool = new pg.Pool({ ...connectionOf(owner), max: 1 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const worker = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => {}) });
    await worker.migrate();
    await worker.release();
  } finally {
    await pool.end();
  }
  await grantToPipeline(owner);
}

function connectionOf({ host, port, user, password, database, ssl }: pg.Client): pg.PoolConfig {
  return { host, port, user, password: password ?? undefined, database, ssl };
}

/** graphile-worker's tables have row-level security without policies, which locks out everyone except their owner. */
async function grantToPipeline(owner: pg.Client): Promise<void> {
  await owner.query(`
    grant usage on schema graphile_worker to tidings_pipeline;
    grant select, insert, update, delete on all tables in schema graphile_worker to tidings_pipeline;
    grant usage on all sequences in schema graphile_worker to tidings_pipeline;
    grant execute on all functions in schema graphile_worker to tidings_pipeline;
    do $$
    declare
      protected regclass;
    begin
      for protected in
        select c.oid from pg_class c
        where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
          and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'pipeline')
      loop
        execute format('create policy pipeline on %s to tidings_pipeline using (true) with check (true)', protected);
      end loop;
    end $$;`);
}
