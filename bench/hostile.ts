/**
 * Measures what a coordinator and a hospital notice of attacks: the times of the inbox and of acknowledgements, first in peace, then with
 * one hostile client at every door. The attackers are a process of their own, and use another address than the hospital.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSender, type Sender } from '#demo/live-feed.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { selfSigned } from '#server/testing/certificate.ts';
import { note } from './figures.ts';
import type { Targets } from './hostile/attackers.ts';
import { type Caller, type RegionProcess, startRegion } from './region-process.ts';
import { quantile, table } from './table.ts';

const COORDINATOR = 'lakeshore-aco';
const ATTACKER = 'pines-plan';
/** In milliseconds. */
const PHASE = 30_000;
const BETWEEN = 100;
const PATIENCE = 10_000;
const DAY = 86_400_000;

/** Asks for the inbox as a busy coordinator does. Returns the times in milliseconds; a call that fails takes PATIENCE. */
async function work(url: string, { headers }: Caller, until: number): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    const start = performance.now();
    const answer = await fetch(`${url}/api/pings`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(PATIENCE),
    }).catch(() => null);
    await answer?.text();
    times.push(answer?.ok ? performance.now() - start : PATIENCE);
    await sleep(BETWEEN);
  }
  return times;
}

/** Sends a hospital's messages one at a time. Returns the times until the acknowledgements. */
async function send(sender: Sender, messages: Iterator<{ bytes: Buffer }>, until: number): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    const { value, done } = messages.next();
    if (done) break;
    const start = performance.now();
    const answer = await Promise.race([sender.send(value.bytes), sleep(PATIENCE, null)]);
    times.push(answer?.includes('MSA|AA|') ? performance.now() - start : PATIENCE);
    await sleep(BETWEEN);
  }
  return times;
}

/** Starts the attackers, and returns a function that ends them. Resolves once each has begun. */
async function startAttackers(targets: Targets): Promise<() => Promise<void>> {
  const child = fork(join(import.meta.dirname, 'hostile/attackers.ts'), [JSON.stringify(targets)]);
  process.once('exit', () => child.kill('SIGKILL'));
  await once(child, 'message');
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

async function phase(region: RegionProcess, caller: Caller, sender: Sender, messages: Iterator<{ bytes: Buffer }>) {
  const until = performance.now() + PHASE;
  const [inbox, acknowledged] = await Promise.all([work(region.url, caller, until), send(sender, messages, until)]);
  return { inbox, acknowledged };
}

/** Creates a SAML connection of the first organization. Returns its key. */
async function samlConnection(urls: RoleUrls): Promise<string> {
  const db = openDatabase(urls.pipeline, { max: 1 });
  const { pem } = selfSigned(new Date(Date.now() + DAY));
  const { rows } = await db.query<{ key: string }>(sql`
    insert into sso_connections (organization_id, kind, name, is_enabled, issuer, entry_point, certificates,
      application_experience, created_at)
    select min(id), 'SAML', 'Bench', true, 'https://identity.example', 'https://identity.example/sso', ${[pem]}, 'DASHBOARD', now()
    from organizations
    returning key`);
  await db.close();
  return (rows[0] as { key: string }).key;
}

/** Runs the bench and prints a table. */
export async function benchHostile(adminUrl: string, urls: RoleUrls): Promise<void> {
  const region = await startRegion(adminUrl, urls, { seed: 'hostile' });
  const caller = await region.signIn(COORDINATOR);
  const attacker = await region.signIn(ATTACKER);
  const connection = await samlConnection(urls);
  const sender = await openSender('127.0.0.1', region.mllpPort);
  const messages = region.world.messages.values();
  // The first question loads the team's rows.
  await work(region.url, caller, performance.now() + 1000);
  const calm = await phase(region, caller, sender, messages);
  const stop = await startAttackers({
    url: region.url,
    mllpPort: region.mllpPort,
    connection,
    groupId: region.groupId(ATTACKER),
    ...attacker,
  });
  const attacked = await phase(region, caller, sender, messages);
  await stop();
  sender.close();
  await region.stop();

  const p99 = (what: string, value: number[], peer: number[], most: number): void => {
    const figure = { part: 'hostile', value: quantile(value, 0.99), unit: 'ms' };
    note({ ...figure, what: `${what}, p99`, bar: { most } });
    note({ ...figure, what: `${what}, p99`, peer: { what: 'in peace', value: quantile(peer, 0.99) } });
  };
  p99('inbox', attacked.inbox, calm.inbox, 500);
  p99('acknowledgment', attacked.acknowledged, calm.acknowledged, 250);
  const ms = (times: number[], part: number) => `${quantile(times, part).toFixed(0)} ms`;
  const line = (name: string, before: number[], during: number[]) => [
    name,
    String(during.length),
    ...[before, during].flatMap((times) => [ms(times, 0.5), ms(times, 0.99), ms(times, 1)]),
    (quantile(during, 0.99) / quantile(before, 0.99)).toFixed(1),
  ];
  table(
    `With one hostile client at every door, against the same ${PHASE / 1000} s in peace`,
    ['', 'times', 'p50', 'p99', 'max', 'attacked p50', 'p99', 'max', 'p99 ratio'],
    [line('inbox', calm.inbox, attacked.inbox), line('acknowledgement', calm.acknowledged, attacked.acknowledged)],
  );
}
