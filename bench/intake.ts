/**
 * Compares durable intake over MLLP with the most that the database can do: rows of the same size, each inserted and committed alone, as
 * pgbench does. Both run on the same server, in turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { openSender } from '#demo/live-feed.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
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
  const receiver = spawn(process.execPath, [join(import.meta.dirname, 'receiver.ts'), urls.pipeline], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(receiver.stdout, 'data');
  const port = Number(String(line));
  const results: Record<string, number[]> = {};
  const note = (name: string, value: number) => void (results[name] = [...(results[name] ?? []), value]);
  await intakeRate(port, { connections: 32, seconds });
  for (let n = 0; n < rounds; n += 1) {
    for (const connections of [32, 1]) {
      note(`commits ${connections}`, await commitRate(urls.owner, { connections, seconds }));
      note(`intake ${connections}`, await intakeRate(port, { connections, seconds }));
    }
  }
  receiver.kill();
  await admin.query('drop table bench_rows');
  await admin.end();
  const of = (name: string) => median(results[name] ?? []);
  table(
    `Durable intake, messages per second (${message(1).length} bytes each; median of ${rounds} rounds of ${seconds} s, in turns)`,
    ['connections', 'MLLP intake', 'single-row commits', 'ratio'],
    [32, 1].map((n) => {
      const [intake, commits] = [of(`intake ${n}`), of(`commits ${n}`)];
      return [String(n), intake.toFixed(0), commits.toFixed(0), (intake / commits).toFixed(2)];
    }),
  );
}
