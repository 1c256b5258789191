import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import { type Backlog, readBacklog } from './backlog.ts';
import { type Readings, setGauges } from './gauges.ts';

export interface ScrapeOptions {
  metrics: Metrics;
  /** Connections of the pipeline role. */
  db: Queryable;
  read: () => Readings;
  clock: Clock;
  log: Logger;
}

/** What `GET /metrics` answers, wherever it is served. */
export interface Scrape {
  contentType: string;
  read: () => Promise<string>;
}

/** In milliseconds: one look at the database answers everyone. */
const LOOK = 1000;

/** Returns what reads the metrics of this process. */
export function newScrape(options: ScrapeOptions): Scrape {
  const { registry } = options.metrics;
  collectDefaultMetrics({ register: registry });
  return { contentType: registry.contentType, read: sharedFor(LOOK, () => scrapeOnce(options)) };
}

/** If the database doesn't answer, the process says so and what it knows by itself. */
async function scrapeOnce({ db, clock, read, metrics, log }: ScrapeOptions): Promise<string> {
  const now = clock();
  const backlog = await readBacklog(db, now).catch((error: unknown): Backlog | null => {
    log.warn({ err: error }, 'The backlog could not be read for the metrics');
    return null;
  });
  setGauges(metrics.registry, read(), backlog, now);
  return metrics.registry.metrics();
}

/** Returns a function that runs `look` at most once in so many milliseconds, and gives everyone its answer. */
function sharedFor<T>(milliseconds: number, look: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | null = null;
  return () => {
    shared ??= look().finally(() => setTimeout(() => (shared = null), milliseconds).unref());
    return shared;
  };
}
