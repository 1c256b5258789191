/** Whatever the services do, a letter with a key is sent once or visibly failed. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { startApp } from '#server/testing/app.ts';
import { BEHAVIORS, type Behavior, faultyMailServer, faultyTextService } from '#server/testing/faulty-services.ts';
import { CarrierError, smtpCarrier, twilioCarrier } from './carriers.ts';
import { type Channel, MAX_ATTEMPTS, postDelivery } from './outbox.ts';
import { failInterrupted, sendLetter } from './send.ts';

const { database, clock, make } = await startApp();
const services = { 'e-mail': await faultyMailServer(), text: await faultyTextService() };
afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));
/** In milliseconds. A slow service never answers; of the others, a busy machine delays the answer. */
const timeoutFor = (behavior: Behavior): number => (behavior === 'slow' ? 2000 : 30_000);
const PHONE = '+12125550123';
const user = await make.user({});
await database.pipeline.query(sql`update users set notification_phone = ${PHONE} where id = ${user.id}`);

async function post(channel: Channel, key: string = randomUUID()): Promise<{ id: string; body: string }> {
  const body = `1 new ping ${randomUUID()}`;
  const recipient = channel === 'text' ? PHONE : user.username;
  const id = await database.pipeline.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into notifications (uuid, user_id, team_id, search_context, pings, created_at)
      values (${randomUUID()}, ${user.id}, ${teamId}, 'PINGS', 1, ${clock.now()}) returning id`);
    const of = {
      channel,
      recipient,
      subject: '1 new ping',
      body,
      key,
      userId: user.id,
      topic: 'SAVED_FILTER' as const,
    };
    await postDelivery(tx, { ...of, notificationId: (rows[0] as { id: string }).id }, clock.now());
    return (await tx.query<{ id: string }>(sql`select id from outbox where once_key = ${key}`)).rows[0]?.id ?? '';
  });
  return { id, body };
}
const teamId = (await make.team({})).id;

/** Makes one attempt. Returns whether the worker would make another. */
async function attempt(id: string, channel: Channel, behavior: Behavior): Promise<boolean> {
  services[channel].behavior = behavior;
  const { origin } = services[channel];
  const timeout = timeoutFor(behavior);
  const carriers = {
    'e-mail': smtpCarrier({ url: origin, from: 'Tidings <no-reply@tidings.test>' }, timeout),
    text: twilioCarrier({ accountSid: 'AC1', authToken: 'secret', from: '+12125550100' }, origin, timeout),
  };
  try {
    await sendLetter({ database: database.pipeline, carriers, demo: false }, id, clock.now());
    return false;
  } catch (error) {
    if (error instanceof CarrierError) return true;
    throw error;
  }
}

async function stateOf(id: string) {
  const { rows } = await database.owner.query<{
    state: string;
    failure: string | null;
    body: string;
    attempts: number;
  }>(sql`select state, failure, body, attempts from outbox where id = ${id}`);
  return rows[0] as (typeof rows)[number];
}

beforeEach(() => {
  for (const service of Object.values(services)) service.accepted.length = 0;
});

describe.each(['e-mail', 'text'] as const)('%s', (channel) => {
  /** Whether readers get the text. A mail wraps long lines. */
  const received = (body: string) =>
    services[channel].accepted.filter((text) => text.replaceAll('=\r\n', '').includes(body)).length;

  test.each([
    ['ok', 'sent', null, 1],
    ['twice', 'sent', null, 1],
    ['slow', 'failed', 'UNCONFIRMED', 1],
    ['drop', 'failed', 'UNCONFIRMED', 1],
    ['refuse', 'failed', channel === 'text' ? '400' : '550', 0],
  ] as const)('to a service that behaves as "%s" is %s after one attempt', async (behavior, state, failure, times) => {
    const { id, body } = await post(channel);
    expect(await attempt(id, channel, behavior)).toBe(false);
    expect(await stateOf(id)).toEqual({ state, failure, body: '', attempts: 1 });
    expect(received(body)).toBe(times);
    expect(await attempt(id, channel, 'ok')).toBe(false);
    expect(received(body)).toBe(times);
  });

  test.each(['down', 'later'] as const)(
    'to a service that is %s waits, and is sent once it is back',
    async (behavior) => {
      const { id, body } = await post(channel);
      expect(await attempt(id, channel, behavior)).toBe(true);
      expect(await stateOf(id)).toMatchObject({ state: 'queued', body });
      expect(await attempt(id, channel, 'ok')).toBe(false);
      expect([await stateOf(id), received(body)]).toMatchObject([{ state: 'sent', failure: null }, 1]);
    },
  );

  test('has failed after the last attempt, visibly', async () => {
    const { id, body } = await post(channel);
    for (let n = 1; n < MAX_ATTEMPTS; n += 1) expect(await attempt(id, channel, 'down')).toBe(true);
    expect(await attempt(id, channel, 'down')).toBe(false);
    expect(await stateOf(id)).toMatchObject({ state: 'failed', failure: expect.stringMatching(/^E\w+$/), body: '' });
    expect(received(body)).toBe(0);
  });

  test('through any sequence of failures is received once at most, and its state is true', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...BEHAVIORS), { minLength: 1, maxLength: 6 }), async (behaviors) => {
        const { id, body } = await post(channel);
        for (const behavior of [...behaviors, 'ok' as const]) if (!(await attempt(id, channel, behavior))) break;
        const { state, failure } = await stateOf(id);
        const times = received(body);
        if (state === 'sent') expect(times).toBe(1);
        else expect([state, times <= (failure === 'UNCONFIRMED' ? 1 : 0)]).toEqual(['failed', true]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test('whose process ended during an attempt is not sent again', async () => {
    const { id, body } = await post(channel);
    const { id: waiting } = await post(channel);
    for (const each of [id, waiting])
      await database.pipeline.query(
        sql`update outbox set state = 'sending', attempted_at = ${clock.now()} where id = ${each}`,
      );
    expect(await attempt(id, channel, 'ok')).toBe(false);
    expect([await stateOf(id), received(body)]).toMatchObject([{ state: 'failed', failure: 'UNCONFIRMED' }, 0]);
    clock.advance(10 * 60_000 + 1);
    await failInterrupted(database.pipeline, clock.now());
    expect(await stateOf(waiting)).toMatchObject({ state: 'failed', failure: 'UNCONFIRMED', body: '' });
  });

  test('that is queued twice under one key is one letter', async () => {
    const key = randomUUID();
    const [first, second] = [await post(channel, key), await post(channel, key)];
    expect(second.id).toBe(first.id);
    await attempt(first.id, channel, 'ok');
    expect([received(first.body), received(second.body)]).toEqual([1, 0]);
  });
});

test('two attempts have the same Message-ID, so that a mailbox shows the letter once', async () => {
  const carry = smtpCarrier({ url: services['e-mail'].origin, from: 'Tidings <no-reply@tidings.test>' });
  services['e-mail'].behavior = 'ok';
  const letter = { channel: 'e-mail' as const, recipient: 'rosa@elm.test', subject: 'x', body: 'x', key: 'k-1' };
  for (let n = 0; n < 2; n += 1) await carry(letter);
  const ids = services['e-mail'].accepted.map((mail) => /^Message-ID: (<[\da-f]{32}@tidings\.test>)/m.exec(mail)?.[1]);
  expect(ids).toEqual([expect.any(String), ids[0]]);
});

test('a number that Twilio calls unsubscribed gets nothing more', async () => {
  const carriers = {
    'e-mail': null,
    text: () => Promise.reject(new CarrierError('OPTED_OUT', 'permanent')),
  };
  const [first, second] = [await post('text'), await post('text')];
  await sendLetter({ database: database.pipeline, carriers, demo: false }, first.id, clock.now());
  expect(await attempt(second.id, 'text', 'ok')).toBe(false);
  for (const { id } of [first, second])
    expect(await stateOf(id)).toMatchObject({ state: 'suppressed', failure: 'OPTED_OUT', body: '' });
  expect(services.text.accepted).toEqual([]);
});
