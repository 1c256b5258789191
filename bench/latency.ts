/** Measures the time from the last byte of a message to the event on an open page's stream, with the complete server process. */
import { openSender } from '#demo/live-feed.ts';
import { expectedPings, type World } from '#demo/world/world.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { note } from './figures.ts';
import { type Caller, startRegion } from './region-process.ts';
import { quantile, table } from './table.ts';

const GROUP = 'lakeshore-aco';
const MEASURED = 100;
const TIMEOUT = 2000;

/** Returns the messages that cause a ping for the group, each as `visit step`. */
function messagesWithPing(world: World): Set<string> {
  const stepOf = new Map(
    world.truth.visits.flatMap(({ visit, events }) =>
      events.map(({ code, at, step }) => [`${visit} ${code} ${at}`, `${visit} ${step}`] as const),
    ),
  );
  const steps = expectedPings(world)
    .filter(({ group, precision }) => group === GROUP && precision === 'minute')
    .map(({ visit, code, at }) => stepOf.get(`${visit} ${code} ${at}`) ?? '');
  return new Set(steps);
}

/** Opens a team's live stream, calls `onPing` for each ping, and returns a function that closes the stream. */
async function openStream(url: string, { teamId, headers }: Caller, onPing: () => void): Promise<() => void> {
  const aborted = new AbortController();
  const stream = await fetch(`${url}/api/live?teamId=${teamId}`, { headers, signal: aborted.signal });
  if (!stream.ok || !stream.body) throw new Error(`The stream could not be opened: ${stream.status}`);
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body as AsyncIterable<Uint8Array>)
      for (const line of decoder.decode(chunk, { stream: true }).split('\n')) if (line === 'event: ping') onPing();
  };
  void read().catch(() => {});
  return () => aborted.abort();
}

/** Runs the bench and prints a table. */
export async function benchLatency(adminUrl: string, urls: RoleUrls): Promise<void> {
  const region = await startRegion(adminUrl, urls, { seed: 'latency' });
  let onPing = () => {};
  const close = await openStream(region.url, await region.signIn(GROUP), () => onPing());
  const sender = await openSender('127.0.0.1', region.mllpPort);
  const withPing = messagesWithPing(region.world);
  const times: number[] = [];
  let missed = 0;
  for (const message of region.world.messages) {
    if (times.length === MEASURED) break;
    if (message.isDuplicate || !withPing.has(`${message.visit} ${message.step}`)) {
      await sender.send(message.bytes);
      continue;
    }
    const arrived = new Promise<boolean>((resolve) => {
      onPing = () => resolve(true);
      setTimeout(() => resolve(false), TIMEOUT);
    });
    const start = performance.now();
    const acknowledged = sender.send(message.bytes);
    if (await arrived) times.push(performance.now() - start);
    else missed += 1;
    onPing = () => {};
    await acknowledged;
  }
  close();
  sender.close();
  await region.stop();
  const figure = { part: 'latency', unit: 'ms' };
  note({ ...figure, what: `p50 of ${times.length} pings`, value: quantile(times, 0.5), bar: { most: 250 } });
  note({ ...figure, what: 'p99', value: quantile(times, 0.99), bar: { most: 1000 } });
  note({ part: 'latency', what: `not within ${TIMEOUT} ms`, value: missed, unit: 'pings', bar: { most: 0 } });
  const ms = (part: number) => `${quantile(times, part).toFixed(0)} ms`;
  table(
    'From the last byte of a message to its event on an open stream, one message at a time',
    ['pings', 'p50', 'p99', 'max', `none within ${TIMEOUT} ms`],
    [[String(times.length), ms(0.5), ms(0.99), ms(1), String(missed)]],
  );
}
