/**
 * Compares durable intake over MLLP with the least that any receiver does (`relay.ts`), and with the most that the database can do: rows of the
 * same size, each inserted and committed alone, as pgbench does. All run on the same server, in turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { openSender } from '#demo/live-feed.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { note } from './figures.ts';
import { median, table } from './table.ts';

/** Returns an admission of about 1 kB. Each has its own control id and patient. */
function message(n: number): Buffer {
  const insurance =
    'IN1|1|NPHP^Lantern Advantage|NPHP|Northern Pines Health Plan||||||||||||Kestrel^Ada|SEL|19410314\r';
  return Buffer.from(
    `MSH|^~\\&|MGH_ADT|MGH|TIDINGS|ALDERBAY|20261120101500-0500||ADT^A01^ADT_A01|B${n}|P|2.5.1\r` +
      'EVN|A01|20261120101500-0500||||20261120101400-0500\r' +
      `PID|1||MG${n}^^^MGH^MR||Kestrel^Ada^M||19410314|F|||7 Ferry Lane^^Alder Bay^MI^49981||(200) 555-0143|||||A${n}\r` +
      `PV1|1|I|3W^12^A^MGH|1|||1400000018^Ferrow^Rupert|||MED||||1|||||V${n}|||||||||||||||||||||||||20261120101400-0500\r` +
      `PV2|||^Shortness of breath\rDG1|1||I50.9^Heart failure^I10|||A|||||||||1\r${insurance.repeat(6)}`,
  );
}

interface Round {
  connections: number;
  seconds: number;
}

let count = Date.now() % 1_000_000_000;

/** Returns how often per second `work` was done, by `connections` workers at once. */
async function rate({ connections, seconds }: Round, work: (worker: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let done = 0;
  const loop = async (_: unknown, worker: number) => {
    while (performance.now() < end) {
      await work(worker);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return done / ((performance.now() - start) / 1000);
}

async function commitRate(url: string, round: Round): Promise<number> {
  const clients = Array.from({ length: round.connections }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const insert = async (worker: number): Promise<void> => {
    const values = [message(++count)];
    await clients[worker]?.query({ name: 'insert', text: 'insert into bench_rows (raw) values ($1)', values });
  };
  await Promise.all(clients.map((_, worker) => insert(worker)));
  const result = await rate(round, insert);
  await Promise.all(clients.map((client) => client.end()));
  return result;
}

/** Starts a receiver in a process of its own. It gets `url`, and prints its port. */
async function startReceiver(script: string, url: string): Promise<{ port: number; stop: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { port: Number(String(line)), stop: () => void child.kill() };
}

async function intakeRate(port: number, round: Round): Promise<number> {
  const senders = await Promise.all(Array.from({ length: round.connections }, () => openSender('127.0.0.1', port)));
  const result = await rate(round, async (worker) => {
    const answer = await senders[worker]?.send(message(++count));
    if (!answer?.includes('MSA|AA|')) throw new Error('A message was not acknowledged');
  });
  for (const sender of senders) sender.close();
  return result;
}

/** Runs the rounds and prints the medians. */
export async function benchIntake(
  urls: RoleUrls,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const admin = new pg.Client({ connectionString: urls.owner });
  await admin.connect();
  await admin.query('create table bench_rows (id bigint generated always as identity primary key, raw bytea not null)');
  const receiver = await startReceiver('receiver.ts', urls.pipeline);
  const relay = await startReceiver('relay.ts', urls.owner);
  const results: Record<string, number[]> = {};
  const keep = (name: string, value: number) => void (results[name] = [...(results[name] ?? []), value]);
  for (const { port } of [receiver, relay]) await intakeRate(port, { connections: 32, seconds });
  for (let n = 0; n < rounds; n += 1) {
    for (const connections of [32, 1]) {
      keep(`commits ${connections}`, await commitRate(urls.owner, { connections, seconds }));
      keep(`relay ${connections}`, await intakeRate(relay.port, { connections, seconds }));
      keep(`intake ${connections}`, await intakeRate(receiver.port, { connections, seconds }));
    }
  }
  receiver.stop();
  relay.stop();
  await admin.query('drop table bench_rows');
  await admin.end();
  const of = (name: string) => median(results[name] ?? []);
  table(
    `Durable intake, messages per second (${message(1).length} bytes each; median of ${rounds} rounds of ${seconds} s, in turns)`,
    ['connections', 'MLLP intake', 'relay', 'ratio', 'single-row commits', 'ratio'],
    [32, 1].map((n) => {
      const [intake, least, commits] = [of(`intake ${n}`), of(`relay ${n}`), of(`commits ${n}`)];
      const figure = { part: 'intake', value: intake, unit: 'messages/s' };
      const connections = n === 1 ? '1 connection' : `${n} connections`;
      note({ ...figure, what: connections, peer: { what: 'relay', value: least }, bar: { least: 0.9 } });
      note({ ...figure, what: connections, peer: { what: 'single-row commits', value: commits } });
      const ratios = [least, commits].flatMap((peer) => [peer.toFixed(0), (intake / peer).toFixed(2)]);
      return [String(n), intake.toFixed(0), ...ratios];
    }),
  );
}
