import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, CallError, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { linkScenes, TOLD } from '#server/testing/facility-links.ts';

const app = await startApp();
const { database, clock, make } = app;
const { hosp, scene, create, open, answer, list, revoke, audited, mailsTo, holder } = linkScenes(app);
const MINUTE = 60_000;
const OPEN = 'POST /api/facility-links/open';
const ANSWER = 'POST /api/facility-links/answer';

const refused = async (token: string, birthDate: string) => errorOf(holder, OPEN, { body: { token, birthDate } });

test('three wrong birth dates lock the link, and its creator gets a mail without patient data', async () => {
  const { client, id, birthDate, creator, person } = await scene();
  const { token, linkId } = await create(client, id);
  expect((await refused(token, '01/01/1900')).message).toContain('2 tries left');
  await open(token, birthDate);
  expect((await refused(token, '01/01/1900')).message).toContain('1 try left');
  expect((await refused(token, '01/01/1900')).errorKey).toBe('LINK_NOT_VALID');
  expect((await refused(token, birthDate)).errorKey).toBe('LINK_NOT_VALID');
  expect((await list(client, id)).links).toMatchObject([{ state: 'LOCKED' }]);
  expect(await audited(linkId)).toEqual(['create', 'refuse', 'open', 'refuse', 'refuse']);
  const [mail] = await mailsTo(creator.username);
  expect(mail?.subject).toBe('A link you created was locked');
  for (const secret of [person.family, person.given, person.birthDate, token, id])
    expect(mail?.body).not.toContain(secret);
});

test('guesses in parallel get three tries together, whatever the order', async () => {
  const { client, id } = await scene();
  const { token, linkId } = await create(client, id);
  const guesses = Array.from({ length: 12 }, (_, index) => `03/${String(index + 10)}/1900`);
  const errors = await Promise.all(guesses.map((guess) => refused(token, guess)));
  expect(errors.filter(({ errorKey }) => errorKey === 'WRONG_BIRTH_DATE')).toHaveLength(2);
  expect(errors.filter(({ errorKey }) => errorKey === 'LINK_NOT_VALID')).toHaveLength(10);
  expect(await audited(linkId)).toEqual(['create', 'refuse', 'refuse', 'refuse']);
});

test('unknown, locked, expired, revoked and used links get the same answer, byte for byte but for the request', async () => {
  const bodies = new Set<string>();
  const keep = ({ requestId: _, ...body }: Awaited<ReturnType<typeof refused>>) => bodies.add(JSON.stringify(body));
  keep(await refused('x'.repeat(43), '01/01/1950'));
  const { client, id, birthDate } = await scene();
  const used = await create(client, id);
  await answer(used.token, birthDate, { stillHere: true });
  keep(await refused(used.token, birthDate));
  const gone = await create(client, id);
  await revoke(client, id, gone.linkId);
  keep(await refused(gone.token, birthDate));
  const locked = await create(client, id);
  for (let tries = 0; tries < 3; tries++) await refused(locked.token, '01/01/1900').then(() => clock.advance(MINUTE));
  keep(await refused(locked.token, birthDate));
  const expired = await create(client, id, { hours: 1 });
  clock.advance(60 * MINUTE);
  keep(await refused(expired.token, birthDate));
  expect([...bodies]).toEqual([
    JSON.stringify({
      status: 404,
      errorKey: 'LINK_NOT_VALID',
      message: 'This link is no longer valid. Ask the person who sent it for a new one.',
    }),
  ]);
});

test('an answer counts once: replayed or sent in parallel, the first stays', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token } = await create(client, id);
  const destinations = ['HOME', 'SNF', 'AMA'] as const;
  const body = (destination: (typeof destinations)[number]) => ({ token, birthDate, answer: { ...TOLD, destination } });
  const made = await Promise.allSettled(destinations.map((each) => holder.call(ANSWER, { body: body(each) })));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await hosp.queue.drain();
  expect((await errorOf(holder, ANSWER, { body: body('SNF') })).errorKey).toBe('LINK_NOT_VALID');
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
});

test('a link opens no other patient, not even one with the same birth date or after the visit got another person', async () => {
  const { client, id, birthDate, listing } = await scene();
  const other = await scene();
  const { token } = await create(client, id);
  expect((await refused(token, other.birthDate)).errorKey).toBe('WRONG_BIRTH_DATE');
  const { rows } = await database.pipeline.query<{ id: string }>(sql`
    insert into persons (created_at) values (${clock.now()}) returning id`);
  await database.pipeline.query(sql`update roster_patients set person_id = ${rows[0]?.id ?? ''} where id = ${listing}`);
  expect((await refused(token, birthDate)).errorKey).toBe('LINK_NOT_VALID');
});

test('a link stops working when its facility comes under Part 2', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token } = await create(client, id);
  await database.pipeline.query(sql`update groups set is_part2_facility = true where id = ${facility.id}`);
  expect((await refused(token, birthDate)).errorKey).toBe('LINK_NOT_VALID');
});

test('a link ends with the access of its creator: without their place on the team, and without their account', async () => {
  const { client, id, birthDate, creator, user, team } = await scene();
  const colleague = await signIn(app, (await user()).username);
  const { token } = await create(client, id);
  await open(token, birthDate);
  const change = (statement: string) => database.owner.query(statement, [creator.id, team.id]);
  const works = async (): Promise<void> => {
    await open(token, birthDate);
    expect((await list(colleague, id)).links).toMatchObject([{ state: 'OPENED' }]);
  };
  const isOver = async (): Promise<void> => {
    expect((await refused(token, birthDate)).errorKey).toBe('LINK_NOT_VALID');
    const body = { token, birthDate, answer: { ...TOLD, destination: 'DIED' as const } };
    expect((await errorOf(holder, ANSWER, { body })).errorKey).toBe('LINK_NOT_VALID');
    expect((await list(colleague, id)).links).toMatchObject([{ state: 'ENDED' }]);
  };
  await works();
  await change(`update grants set removed = '{canManagePings}' where user_id = $1 and team_id = $2`);
  await isOver();
  await change(`update grants set removed = '{}' where user_id = $1 and team_id = $2`);
  await works();
  await change('update users set disabled_at = now() where id = $1 and $2::bigint is not null');
  await isOver();
  // Links that ended leave room for others.
  for (let links = 0; links < 3; links++) await create(colleague, id);
});

test('a link ends when the patient has left the last list of the team, and no other is made', async () => {
  const { client, id, birthDate, listing, person, team, organizationId, creator } = await scene();
  const { token } = await create(client, id);
  const { id: second } = await make.group({ organizationId });
  await database.owner.query(sql`insert into team_groups (team_id, group_id) values (${team.id}, ${second})`);
  await database.owner.query(sql`
    insert into grants (user_id, team_id, group_id, role_id)
    select user_id, team_id, ${second}, role_id from grants where user_id = ${creator.id} and team_id = ${team.id}`);
  const other = await hosp.list(second, person);
  const leave = (row: string) =>
    database.owner.query(sql`update roster_patients set left_at = ${clock.now()} where id = ${row}`);
  await leave(listing);
  await open(token, birthDate);
  await leave(other);
  expect((await refused(token, birthDate)).errorKey).toBe('LINK_NOT_VALID');
  const { links, refusals } = await list(client, id);
  expect(links).toMatchObject([{ state: 'ENDED' }]);
  expect(refusals.CONFIRM_DISCHARGE).toBe('The patient is no longer on your lists.');
  const body = { purpose: 'CONFIRM_DISCHARGE', recipient: null, hours: 72 } as const;
  const params = { id };
  expect((await errorOf(client, 'POST /api/patients/:id/facility-links', { params, body })).errorKey).toBe(
    'BAD_REQUEST',
  );
});

test('calls are limited by link and by address, and a limit says nothing about the link', async () => {
  clock.advance(2 * MINUTE);
  const { client, id, birthDate } = await scene();
  const { token } = await create(client, id);
  for (let call = 0; call < 12; call++) await open(token, birthDate);
  expect((await refused(token, birthDate)).errorKey).toBe('TOO_MANY_REQUESTS');
  const unknown = (index: number) => refused(`${'x'.repeat(40)}${index + 100}`, birthDate);
  for (let call = 0; call < 47; call++) await unknown(call);
  expect((await unknown(99)).errorKey).toBe('TOO_MANY_REQUESTS');
  clock.advance(MINUTE);
  await open(token, birthDate);
});

test('what is huge, malformed, or from another site is refused before the link is looked up, and no cookie is set', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token, linkId } = await create(client, id);
  const proof = { token, birthDate };
  const bad: [string, unknown][] = [
    ['/open', { token, birthDate: '1950-01-01' }],
    ['/open', { token: 'short', birthDate }],
    ['/open', { token: { $ne: '' }, birthDate }],
    ['/open', { ...proof, more: 1 }],
    ['/answer', { ...proof, answer: { ...TOLD, date: '2026-02-30' } }],
    ['/answer', { ...proof, answer: { ...TOLD, date: null } }],
    ['/answer', { ...proof, answer: { ...TOLD, time: '25:00' } }],
    ['/answer', { ...proof, answer: { ...TOLD, destination: 'MOON' } }],
    ['/answer', { ...proof, answer: { ...TOLD, contactName: '' } }],
    ['/answer', { ...proof, answer: { ...TOLD, contactName: 'a\u0000b' } }],
    ['/answer', { ...proof, answer: { ...TOLD, note: 'x'.repeat(501) } }],
  ];
  const post = (path: string, body: unknown, headers: object = {}) =>
    anonymous(app).fetch(`/api/facility-links${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  for (const [path, body] of bad) expect([path, body, (await post(path, body)).status]).toEqual([path, body, 400]);
  expect((await post('/answer', { ...proof, answer: { ...TOLD, note: 'x'.repeat(9000) } })).status).toBe(413);
  expect((await post('/open', proof, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  for (const [date, time] of [['2026-11-24'], ['2026-11-14'], ['2026-11-15', '08:00'], ['2024-01-01']])
    await expect(answer(token, birthDate, { date, time })).rejects.toThrow(CallError);
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  expect((await audited(linkId)).filter((step) => step === 'refuse')).toEqual([]);
  const right = await post('/open', proof);
  expect(right.status).toBe(200);
  expect(right.headers.getSetCookie()).toEqual([]);
  expect(right.headers.get('cache-control')).toBe('no-store');
  expect(right.headers.get('referrer-policy')).toBe('no-referrer');
});

test('five links an hour are mailed to one mailbox, whoever asks and about whichever stay, also at once', async () => {
  const [here, there] = [await scene(), await scene()];
  const domain = `${here.id.replace('_', '-')}.example`;
  const recipient = `records@${domain}`;
  const spellings = [recipient, `Records@${domain.toUpperCase()}`, `records+today@${domain}`];
  const made = await Promise.allSettled(
    [here, there].flatMap(({ client, id }) => spellings.map((spelling) => create(client, id, { recipient: spelling }))),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const [refusedCall] = made.filter(({ status }) => status === 'rejected');
  expect(refusedCall).toMatchObject({ reason: { status: 429 } });
  const third = await scene();
  const body = { purpose: 'CONFIRM_DISCHARGE', recipient, hours: 72 } as const;
  const of = { params: { id: third.id }, body };
  const { message } = await errorOf(third.client, 'POST /api/patients/:id/facility-links', of);
  expect(message).toMatch(/^5 links were emailed to this address within the last hour\. Create a link to copy/);
  expect((await create(third.client, third.id)).token).not.toBe('');
  await create(third.client, third.id, { recipient: `front.desk@${domain}` });
  clock.advance(61 * MINUTE);
  await create(await signIn(app, third.creator.username), third.id, { recipient });
});
