/** What a process counts and times while it works, for Prometheus. Names of routes and threads only: nothing about a person enters a label. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** HTTP answers, by method, route (with `:id`, not the path) and status. */
  readonly answers: Histogram<'method' | 'route' | 'status'>;
  /** Requests and streams that are open, by route. */
  readonly open: Gauge<'route'>;
  /** From the last byte of a message until it is committed, so that it may be acknowledged. */
  readonly stored: Histogram;
  /** Messages that were not stored, and therefore not acknowledged. */
  readonly notStored: Counter;
  /** Frames of addresses without a feed that were refused, because they had sent too much on the day. */
  readonly refused: Counter;
  /** Messages by what became of them. */
  readonly processed: Counter<'status'>;
  /** Seconds that batches of messages took. */
  readonly batches: Histogram;
  /** Questions to the read model, by kind. */
  readonly searches: Histogram<'kind'>;
}

/** In seconds. */
const ANSWER_TIMES = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Returns counters at zero, in a registry of their own. */
export function newMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    answers: new Histogram({
      name: 'tidings_http_answer_seconds',
      help: 'Time until an HTTP request was answered, by route',
      labelNames: ['method', 'route', 'status'],
      buckets: ANSWER_TIMES,
      registers,
    }),
    open: new Gauge({
      name: 'tidings_http_open_requests',
      help: 'Requests and live streams that are open, by route',
      labelNames: ['route'],
      registers,
    }),
    stored: new Histogram({
      name: 'tidings_message_store_seconds',
      help: 'Time from a received message to its commit, after which it is acknowledged',
      buckets: COMMIT_TIMES,
      registers,
    }),
    notStored: new Counter({
      name: 'tidings_messages_not_stored_total',
      help: 'Messages that could not be stored and were not acknowledged',
      registers,
    }),
    refused: new Counter({
      name: 'tidings_messages_refused_total',
      help: 'Frames of addresses without a feed that were refused because they had sent too much on the day',
      registers,
    }),
    processed: new Counter({
      name: 'tidings_messages_processed_total',
      help: 'Messages processed by this process, by what became of them',
      labelNames: ['status'],
      registers,
    }),
    batches: new Histogram({
      name: 'tidings_message_batch_seconds',
      help: 'Time that a batch of messages took to process',
      buckets: ANSWER_TIMES,
      registers,
    }),
    searches: new Histogram({
      name: 'tidings_search_seconds',
      help: 'Time that the read model took to answer, by kind of question',
      labelNames: ['kind'],
      buckets: ANSWER_TIMES,
      registers,
    }),
  };
}

const NANOSECONDS = 1e9;

/** Returns a function that says how many seconds have passed. */
export function stopwatch(): () => number {
  const start = process.hrtime.bigint();
  return () => Number(process.hrtime.bigint() - start) / NANOSECONDS;
}
