/** What addresses without a feed may have stored on a day. */
import { expect, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
import { newMetrics } from '#server/platform/metrics/metrics.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { startIntake } from '#server/testing/intake.ts';
import { mllpClient } from '#server/testing/mllp-client.ts';
import { StoredBudget } from './stored-budget.ts';

const KIB = 1024;
const app = await startApp();
const { database, make, clock } = app;
const metrics = newMetrics();
const limits = { ofAddress: 40 * KIB, ofAll: 50 * KIB };
const { listener, senders } = await startIntake(database.pipeline, clock.now, { budget: limits, metrics });
const organization = await make.organization();
const group = await make.group({ type: 'HOS', organizationId: organization.id });
await make.feed({ group, application: 'LAB', identifier: 'HILL' });
await senders.refresh();

let count = 0;
/** Sends messages of 10 KiB on one connection and returns what they were answered. */
async function send(application: string, messages: number, conditions = ''): Promise<string[]> {
  const client = await mllpClient(listener.port);
  for (let at = 0; at < messages; at += 1) {
    const header = `MSH|^~\\&|${application}|HILL|||20261120100000||ADT^A01|B${++count}|P|2.5.1|||${conditions}\r`;
    client.socket.write(
      encodeFrame(Buffer.from(`${header}PID|1||7^^^HILL^MR||Ash^Ida\rNTE|1||${'x'.repeat(10 * KIB)}\r`)),
    );
  }
  const answers = await client.acknowledgements(messages);
  client.close();
  return answers.map((text) => /\rMSA\|(\w\w)/.exec(text)?.[1] ?? text);
}

test('what is over the budget of a day is refused with a reason and counted, and a feed is not limited', async () => {
  expect(await send('ELSEWHERE', 5)).toEqual(['AA', 'AA', 'AA', 'AR', 'AR']);
  expect(await send('ELSEWHERE', 1, 'AL|NE')).toEqual(['CR']);
  expect(await send('LAB', 8)).toEqual(Array.from({ length: 8 }, () => 'AA'));
  const { rows } = await database.pipeline.query('select from messages');
  expect(rows).toHaveLength(11);
  expect((await metrics.refused.get()).values).toMatchObject([{ value: 3 }]);
});

test('operators see who was refused; administrators don’t', async () => {
  await senders.refresh();
  const team = await make.team({ organizationId: organization.id, groupIds: [group.id] });
  const operator = await signIn(app, (await make.user({ team, role: 'administrator', isOperator: true })).username);
  const administrator = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  expect(await operator.call('GET /api/feeds/refused-senders', {})).toMatchObject([
    { address: '127.0.0.1', refused: 3 },
  ]);
  expect(await administrator.call('GET /api/feeds/refused-senders', {})).toEqual([]);
});

test('a restart and other processes share the counts, which start again the next day', async () => {
  const other = new StoredBudget(database.pipeline, clock.now, limits);
  await other.refresh();
  expect(other.take('127.0.0.1', 10 * KIB)).toBe('refused-first');
  expect(other.take('127.0.0.1', 10 * KIB)).toBe('refused');
  // All addresses together have a budget as well.
  expect(other.take('10.0.0.1', 10 * KIB)).toBe('taken');
  expect(other.take('10.0.0.2', 10 * KIB)).toBe('refused-first');
  clock.advance(24 * 60 * 60 * 1000);
  expect(other.take('127.0.0.1', 10 * KIB)).toBe('taken');
  await other.refresh();
  expect(other.take('127.0.0.1', 20 * KIB)).toBe('taken');
  expect(other.take('127.0.0.1', 20 * KIB)).toBe('refused-first');
});
