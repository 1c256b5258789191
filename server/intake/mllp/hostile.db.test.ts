/** Senders that mean harm, or are broken, against one that does its work at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { startIntake } from '#server/testing/intake.ts';
import { type MllpClient, mllpClient } from '#server/testing/mllp-client.ts';

const database = await testDatabase();
const clock = () => new Date('2026-11-20T15:00:00Z');
const MIB = 1024 * 1024;
const lines: string[] = [];
const log = createLog('warn', { write: (line) => void lines.push(line) });

let count = 0;
const message = (controlId = `H${++count}`, padding = 0) =>
  Buffer.from(
    `MSH|^~\\&|LAB|HILL|||20261120100000||ADT^A01|${controlId}|P|2.5.1\rPID|1||7^^^HILL^MR||Ash^Ida\rNTE|1||${'x'.repeat(padding)}`,
  );

async function connect(port: number): Promise<MllpClient> {
  const client = await mllpClient(port);
  onTestFinished(() => client.close());
  return client;
}

const fateOf = (client: MllpClient, milliseconds = 10_000) =>
  Promise.race([client.ended.then(() => 'closed'), sleep(milliseconds, 'open')]);

/** Sends a message and returns the milliseconds until its acknowledgement. */
async function acknowledged(client: MllpClient, nth: number): Promise<number> {
  const start = performance.now();
  client.socket.write(encodeFrame(message()));
  await client.acknowledgements(nth);
  return performance.now() - start;
}

test('a stream of empty frames is closed, stores nothing, and is logged a few times only', async () => {
  const { listener } = await startIntake(database.pipeline, clock, { log });
  const good = await connect(listener.port);
  for (let round = 0; round < 20; round += 1) {
    const bad = await connect(listener.port);
    bad.socket.write(Buffer.alloc(150_000, '\v\x1c\r'));
    expect(await fateOf(bad)).toBe('closed');
  }
  await acknowledged(good, 1);
  const { rows } = await database.pipeline.query(`select from messages where coalesce(control_id, '') = ''`);
  expect(rows).toEqual([]);
  expect(lines.filter((line) => line.includes('MLLP')).length).toBeLessThanOrEqual(5);
});

test('a stream of frames without a type of message is closed, and a sender with some of them is not', async () => {
  const { listener } = await startIntake(database.pipeline, clock, { log });
  const [bad, good] = [await connect(listener.port), await connect(listener.port)];
  bad.socket.write(Buffer.alloc(140_000, '\vMSH|\x1c\r'));
  expect(await fateOf(bad)).toBe('closed');
  for (let nth = 1; nth <= 300; nth += 2) {
    good.socket.write(Buffer.from('\vMSH|\x1c\r'));
    await acknowledged(good, nth + 1);
  }
});

test('unfinished frames beyond the memory of an address cost the largest, and the small ones are served', async () => {
  const { listener } = await startIntake(database.pipeline, clock, { limits: { memoryPerAddress: 8 * MIB } });
  const small = await connect(listener.port);
  small.socket.write(encodeFrame(message('SMALL')).subarray(0, 50));
  const large = await Promise.all(Array.from({ length: 6 }, () => connect(listener.port)));
  for (const { socket } of large) socket.write(encodeFrame(message('LARGE', 3 * MIB)).subarray(0, -2));
  const fates = await Promise.all(large.map((client) => fateOf(client, 3000)));
  expect(fates.filter((fate) => fate === 'closed').length).toBeGreaterThanOrEqual(4);
  small.socket.write(encodeFrame(message('SMALL')).subarray(50));
  expect((await small.acknowledgements(1))[0]).toContain('MSA|AA|SMALL');
});

test('an address gets no more connections than its limit, and its others go on', async () => {
  const { listener } = await startIntake(database.pipeline, clock, { limits: { connectionsPerUnknownAddress: 3 } });
  const good = await connect(listener.port);
  const others = [await connect(listener.port), await connect(listener.port)];
  const refused = await connect(listener.port);
  expect(await fateOf(refused)).toBe('closed');
  await acknowledged(good, 1);
  others[0]?.close();
  await expect.poll(async () => fateOf(await connect(listener.port), 200)).toBe('open');
});

test('a frame that trickles in is cut off; a slow one that makes progress is not', async () => {
  const { listener } = await startIntake(database.pipeline, clock, {
    limits: { frameTime: 400, bytesPerSecond: 2000 },
  });
  const [trickling, slow] = [await connect(listener.port), await connect(listener.port)];
  const frame = encodeFrame(message('SLOW', 4000));
  trickling.socket.write(frame.subarray(0, 20));
  for (let at = 0; at < frame.length; at += 1000) {
    slow.socket.write(frame.subarray(at, at + 1000));
    await sleep(200);
  }
  expect(await fateOf(trickling)).toBe('closed');
  expect((await slow.acknowledgements(1))[0]).toContain('MSA|AA|SLOW');
});

test('a sender that does not read its acknowledgements is not read either', async () => {
  const { listener } = await startIntake(database.pipeline, clock);
  const deaf = await connect(listener.port);
  deaf.socket.pause();
  // Each acknowledgement repeats a control ID of 20,000 characters, so that the buffers of both sockets fill up soon.
  const frames = Array.from({ length: 1500 }, (_, index) => encodeFrame(message(`${index}`.padEnd(20_000, 'x'))));
  deaf.socket.write(Buffer.concat(frames));
  let left = Number.NaN;
  await expect
    .poll(
      () => {
        const before = left;
        left = deaf.socket.writableLength;
        return left === before;
      },
      { interval: 1000, timeout: 60_000 },
    )
    .toBe(true);
  expect(left).toBeGreaterThan(0);
});

test('a batch of too many messages is refused with an error, and nothing of it is stored', async () => {
  const { listener } = await startIntake(database.pipeline, clock);
  const client = await connect(listener.port);
  const batch = Buffer.concat(
    Array.from({ length: 10_001 }, () => Buffer.concat([message('MANY'), Buffer.from('\r')])),
  );
  client.socket.write(encodeFrame(batch));
  expect((await client.acknowledgements(1))[0]).toMatch(/MSA\|AE\|MANY\|The batch has more than 10,000 messages/);
  const { rows } = await database.pipeline.query(`select from messages where control_id = 'MANY'`);
  expect(rows).toEqual([]);
});

test('fields too long for an index are shortened for the log of messages, not refused', async () => {
  const { listener } = await startIntake(database.pipeline, clock);
  const client = await connect(listener.port);
  const random = Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2, 3)).join('');
  client.socket.write(encodeFrame(message(random)));
  expect((await client.acknowledgements(1))[0]).toContain('MSA|AA|');
});
