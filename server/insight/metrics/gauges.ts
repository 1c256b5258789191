import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#server/platform/database/pool.ts';
import type { Backlog } from './backlog.ts';

/** What a process can say about itself at any moment. */
export interface Readings {
  /** Open connections of senders; null in a process that listens to none. */
  mllpConnections: number | null;
  /** Questions that the read model has not answered yet. */
  searchesWaiting: number;
  /** Whether the read model reads from the replica; null without one. */
  usesReplica: boolean | null;
  /** Connection pools, by name. */
  pools: Record<string, Database['pool']>;
}

type Sample = [labels: Record<string, string>, value: number];

const secondsSince = (at: string | null, now: Date): number =>
  at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000);

/** Sets the gauges of the registry to what was read. `backlog`: null if the database could not be asked. */
export function setGauges(registry: Registry, readings: Readings, backlog: Backlog | null, now: Date): void {
  const set = (name: string, help: string, samples: readonly Sample[]): void => {
    registry.removeSingleMetric(name);
    const labelNames = Object.keys(samples[0]?.[0] ?? {});
    // A gauge without labels is 0 until it is set.
    if (samples.length === 0) return;
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) gauge.set(labels, value);
  };
  const one = (value: number): Sample[] => [[{}, value]];
  set('tidings_database_up', 'Whether the database answered', one(backlog ? 1 : 0));
  const { mllpConnections, searchesWaiting, usesReplica, pools } = readings;
  if (mllpConnections !== null) set('tidings_mllp_connections', 'Open MLLP connections', one(mllpConnections));
  set('tidings_searches_waiting', 'Questions to the read model without an answer yet', one(searchesWaiting));
  if (usesReplica !== null)
    set('tidings_replica_in_use', 'Whether the read model reads from the replica', one(usesReplica ? 1 : 0));
  const poolSamples = Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]): Sample[] => [
    [{ pool, state: 'busy' }, totalCount - idleCount],
    [{ pool, state: 'idle' }, idleCount],
    [{ pool, state: 'waited for' }, waitingCount],
  ]);
  set('tidings_database_connections', 'Connections to the database, by pool', poolSamples);
  if (!backlog) return;
  const { messages, deliveries, jobs, feeds } = backlog;
  set('tidings_messages_pending', 'Messages that are stored and not processed (at most 100000)', one(messages.pending));
  set(
    'tidings_messages_pending_oldest_seconds',
    'Age of the oldest of them',
    one(secondsSince(messages.oldestAt, now)),
  );
  set('tidings_messages_quarantined', 'Messages in quarantine (at most 100000)', one(messages.quarantined));
  set(
    'tidings_deliveries_waiting',
    'Emails and texts that wait to be sent',
    deliveries.map(({ channel, waiting }) => [{ channel }, waiting]),
  );
  set(
    'tidings_deliveries_oldest_seconds',
    'Age of the oldest email or text that waits',
    deliveries.map(({ channel, oldestAt }) => [{ channel }, secondsSince(oldestAt, now)]),
  );
  set(
    'tidings_deliveries_failed',
    'Emails and texts of the last 24 hours that failed for good',
    deliveries.map(({ channel, failedToday }) => [{ channel }, failedToday]),
  );
  set(
    'tidings_jobs_due',
    'Jobs that should run now, by task',
    jobs.map(({ task, due }) => [{ task }, due]),
  );
  set(
    'tidings_jobs_oldest_seconds',
    'How long the oldest of them has been due',
    jobs.map(({ task, oldestAt }) => [{ task }, secondsSince(oldestAt, now)]),
  );
  set(
    'tidings_jobs_failed',
    'Jobs that failed as often as they may, by task',
    jobs.map(({ task, failed }) => [{ task }, failed]),
  );
  set('tidings_exports_running', 'Exports in progress', one(backlog.exports));
  set('tidings_rosters_running', 'Rosters in progress', one(backlog.uploads));
  set('tidings_feeds', 'Feeds, by state', [
    [{ state: 'approved' }, feeds.approved],
    [{ state: 'paused' }, feeds.paused],
    [{ state: 'silent' }, feeds.silent],
  ]);
}
