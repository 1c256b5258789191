/** How much waits in the database, and for how long: the same for all processes of an installation. */
import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Above this, what waits isn't counted on. */
const MOST_COUNTED = 100_000;
/** Milliseconds in which a delivery that failed is counted. */

export interface Backlog {
  messages: { pending: number; oldestAt: string | null; quarantined: number };
  deliveries: { channel: 'e-mail' | 'text'; waiting: number; oldestAt: string | null; failedToday: number }[];
  jobs: { task: string; due: number; oldestAt: string | null; failed: number }[];
  exports: number;
  uploads: number;
  feeds: { silent: number; paused: number; approved: number };
}

/** Reads what waits, as the pipeline role. Counts stop at 100,000. */
export async function readBacklog(db: Queryable, now: Date): Promise<Backlog> {
  const [messages, deliveries, jobs, counts] = await Promise.all([
    messagesWaiting(db),
    deliveriesWaiting(db, now),
    jobsWaiting(db, now),
    db.query<{ exports: number; uploads: number; silent: number; paused: number; approved: number }>(sql`
      select (select count(*)::int from export_jobs where in_progress) as exports,
        (select count(*)::int from started_uploads) as uploads,
        count(*) filter (where silent_since is not null)::int as silent,
        count(*) filter (where paused_at is not null)::int as paused,
        count(*) filter (where approved_at is not null)::int as approved
      from feeds where ended_at is null`),
  ]);
  const { exports = 0, uploads = 0, ...feeds } = counts.rows[0] ?? {};
  return { messages, deliveries, jobs, exports, uploads, feeds: { silent: 0, paused: 0, approved: 0, ...feeds } };
}

/** The oldest message is found by the senders that have one, whose queues are in order, instead of among all that wait. */
async function messagesWaiting(db: Queryable): Promise<Backlog['messages']> {
  const { rows } = await db.query<Backlog['messages']>(sql`
    with recursive senders as (
      (select sender from messages where status = 'PENDING' order by sender limit 1)
      union all
      select (select m.sender from messages m where m.status = 'PENDING' and m.sender > s.sender order by m.sender limit 1)
      from senders s where s.sender is not null)
    select
      (select count(*)::int from (select from messages where status = 'PENDING' limit ${MOST_COUNTED}) waiting) as pending,
      (select min(first.received_at) from senders s
        cross join lateral (select m.received_at from messages m where m.status = 'PENDING' and m.sender = s.sender order by m.id limit 1) first
        where s.sender is not null) as "oldestAt",
      (select count(*)::int from (select from messages where status = 'QUARANTINED' limit ${MOST_COUNTED}) held) as quarantined`);
  return rows[0] ?? { pending: 0, oldestAt: null, quarantined: 0 };
}

async function deliveriesWaiting(db: Queryable, now: Date): Promise<Backlog['deliveries']> {
  const since = new Date(now.getTime() - DAY).toISOString();
  const { rows } = await db.query<Backlog['deliveries'][number]>(sql`
    select kind as channel, count(o.id) filter (where o.state = 'queued')::int as waiting,
      min(o.created_at) filter (where o.state = 'queued') as "oldestAt",
      count(o.id) filter (where o.state = 'failed' and o.created_at > ${since})::int as "failedToday"
    from unnest(array['e-mail', 'text']) as kind
      left join lateral (
        select id, state, created_at from outbox w where w.channel = kind and w.state in ('queued', 'failed')
          and (w.state = 'queued' or w.created_at > ${since})
        order by w.created_at desc limit ${MOST_COUNTED}) o on true
    group by kind order by kind`);
  return rows;
}

/** Every task that a worker has offered since the installation began, also one without a job: none is 0, not missing. */
async function jobsWaiting(db: Queryable, now: Date): Promise<Backlog['jobs']> {
  const { rows } = await db.query<Backlog['jobs'][number]>(sql`
    select identifier as task,
      count(*) filter (where attempts < max_attempts and run_at <= ${now.toISOString()})::int as due,
      min(run_at) filter (where attempts < max_attempts and run_at <= ${now.toISOString()}) as "oldestAt",
      count(*) filter (where attempts >= max_attempts)::int as failed
    from graphile_worker._private_tasks tasks
      left join (select * from graphile_worker.jobs limit ${MOST_COUNTED}) jobs on jobs.task_identifier = tasks.identifier
    group by identifier order by identifier`);
  return rows;
}
