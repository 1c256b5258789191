import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { CLIENT_ERROR_KINDS, USAGE_EVENT_NAMES, type UsageEvent, type UsageEventName } from '#contract/usage.ts';
import { createLog } from '#server/platform/http/log.ts';
import { refusal } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';

const lines: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _, done) {
    lines.push(chunk.toString());
    done();
  },
});
const app = await startApp({ log: createLog('info', destination) });
const { make, clock, database } = app;
const rows = async <R extends object>(text: string, values: unknown[] = []) =>
  (await database.pipeline.query<R>(text, values)).rows;

const user = await make.user({ team: await make.team() });
const client = await signIn(app, user.username);
const stranger = anonymous(app);

const event = (over: Partial<UsageEvent> = {}): UsageEvent => ({
  name: 'page-viewed',
  timezone: 'America/Chicago',
  currentLocation: 'patient story',
  previousLocation: 'ping feed',
  msElapsedSinceLastEvent: 5120,
  viewportResolution: '1280x720',
  notificationUuid: '8f2c',
  notificationModality: 'e-mail',
  routes: null,
  username: 'somebody.else@tidings.test',
  params: {},
  ...over,
});

test('an event is stored with every field, under the signed-in user', async () => {
  const { name, username: _, ...detail } = event();
  await client.call('POST /api/user-events', { body: event() });
  expect(await rows('select at, user_id, username, name, detail from usage_events')).toEqual([
    { at: clock.now().toISOString(), user_id: user.id, username: user.username, name, detail },
  ]);
});

test('every event name of the product is accepted', async () => {
  const params: Partial<Record<UsageEventName, UsageEvent['params']>> = {
    login: { lastLogin: '2026-11-19T08:00:00Z', isFirstLogin: false, mfaOptedIn: true },
    'error-page-loaded': { message: 'Unknown Error' },
    'ping-status-changed': { patientId: '12_34', status: 'RESOLVED' },
  };
  for (const name of USAGE_EVENT_NAMES) {
    await client.call('POST /api/user-events', { body: event({ name, params: params[name] ?? {} }) });
    expect([name, (await rows('select from usage_events where name = $1', [name])).length]).not.toEqual([name, 0]);
  }
});

test('before sign-in a username is required, but the event belongs to no user', async () => {
  const body = {
    ...event({ currentLocation: 'login', previousLocation: null }),
    username: user.username.toUpperCase(),
  };
  await stranger.call('POST /api/user-events/public', { query: {}, body });
  expect(await rows("select user_id, username from usage_events where detail ->> 'currentLocation' = 'login'")).toEqual(
    [{ user_id: null, username: user.username }],
  );
  const { username: _, ...nameless } = body;
  expect(await refusal(stranger.call('POST /api/user-events/public', { query: {}, body: nameless }))).toBe(
    'BAD_REQUEST',
  );
  expect(await refusal(stranger.call('POST /api/user-events', { body }))).toBe('NOT_SIGNED_IN');
});

test('before sign-in the username may also be in the query or among the parameters', async () => {
  const asked = { name: 'login', username: null };
  await stranger.call('POST /api/user-events/public', { query: { username: 'Query@tidings.test' }, body: asked });
  const params = { username: 'params@tidings.test' };
  await stranger.call('POST /api/user-events/public', { query: {}, body: { ...asked, params } });
  expect(
    await rows("select username, detail -> 'params' as params from usage_events where username ~ '^(query|params)@'"),
  ).toEqual([
    { username: 'query@tidings.test', params: {} },
    { username: 'params@tidings.test', params: {} },
  ]);
});

test('an event with nothing but a name is stored, and possible patient data and untracked locations are dropped', async () => {
  const kept = async (body: UsageEvent) => {
    await client.call('POST /api/user-events', { body });
    return (
      await rows<{ name: string; detail: Record<string, unknown> }>(
        'select name, detail from usage_events order by id desc limit 1',
      )
    )[0];
  };
  expect(await kept({ name: 'login' })).toMatchObject({ name: 'login', detail: { currentLocation: null, params: {} } });
  expect(
    await kept(event({ name: 'opened Adaeze Okonkwo', routes: ['Adaeze'], params: { firstName: 'Adaeze' } })),
  ).toMatchObject({
    name: 'other',
    detail: { currentLocation: 'patient story', routes: null, params: {} },
  });
  const params = { status: 'RESOLVED', dob: '1941-03-14', patientId: { name: 'Adaeze' } };
  expect(await kept(event({ name: 'ping-status-changed', params }))).toMatchObject({
    detail: { params: { status: 'RESOLVED' } },
  });
  const places = { currentLocation: 'patients/Adaeze Okonkwo', previousLocation: 'analytics Adaeze Okonkwo' };
  expect(await kept(event(places))).toMatchObject({ detail: { currentLocation: null, previousLocation: null } });
  expect(await rows("select from usage_events where name || detail::text ~ 'Adaeze|1941'")).toEqual([]);
  await client.call('POST /api/user-events', { body: event({ currentLocation: 'analytics readmissions' }) });
});

test('legacy addresses are stored without their tokens', async () => {
  const token = 'q7Zt0mXk3vBn9sLd2fHj5wRy8uEi1oPa';
  const routes = [`#/password/reset/${token}?x=${token}`, '/password/set'];
  await client.call('POST /api/user-events', {
    body: event({ name: 'legacy-url-redirected', routes, timezone: 'UTC' }),
  });
  const [row] = await rows<{ detail: { routes: string[] } }>(
    "select detail from usage_events where detail ->> 'timezone' = 'UTC'",
  );
  expect(row?.detail.routes).toEqual(['#/password/reset/…', '/password/set']);
});

test('errors of all six kinds are stored; the log contains only their ids', async () => {
  lines.length = 0;
  for (const kind of CLIENT_ERROR_KINDS) {
    const body = { kind, message: 'Cannot show Adaeze', requestId: '8f2c', location: '/patients/:id?name=Adaeze#x' };
    await client.call('POST /api/client-errors', { body });
  }
  await stranger.call('POST /api/client-errors', { body: { kind: 'unknown', message: 'x', location: '/login' } });
  expect(CLIENT_ERROR_KINDS).toHaveLength(6);
  const kept = await rows('select user_id, kind, message, request_id, location from client_errors order by id');
  expect(kept).toHaveLength(7);
  expect(kept[0]).toEqual({
    user_id: user.id,
    kind: 'unknown',
    message: 'Cannot show Adaeze',
    request_id: '8f2c',
    location: '/patients/:id',
  });
  expect(kept[6]).toMatchObject({ user_id: null, request_id: null });
  const log = lines.join('');
  expect(log.match(/"clientErrorId":"\d+"/g)).toHaveLength(7);
  expect(log).toContain('"kind":"third_party_application"');
  expect(log).not.toContain('Adaeze');
});

test('a page failing in a loop is limited, and can report again after a minute', async () => {
  clock.advance(60_000);
  const body = { kind: 'component' as const, message: 'x', location: '/' };
  const report = () => refusal(stranger.call('POST /api/client-errors', { body }));
  const outcomes = [];
  for (let each = 0; each < 65; each++) outcomes.push(await report());
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(60);
  expect(outcomes.at(-1)).toBe('TOO_MANY_REQUESTS');
  clock.advance(60_000);
  expect(await report()).toBeNull();
});

test('a page that sends events in a loop uses up only its user’s limit of them, for a minute', async () => {
  clock.advance(60_000);
  const track = (by: typeof client) => refusal(by.call('POST /api/user-events', { body: { name: 'page-viewed' } }));
  const before = (await rows('select from usage_events')).length;
  const outcomes = [];
  for (let each = 0; each < 125; each++) outcomes.push(await track(client));
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(120);
  expect(outcomes.at(-1)).toBe('TOO_MANY_REQUESTS');
  expect((await rows('select from usage_events')).length).toBe(before + 120);
  expect(await track(await signIn(app, (await make.user({ team: await make.team() })).username))).toBeNull();
  expect(await refusal(client.call('GET /api/export/recent-export-jobs', {}))).toBeNull();
  clock.advance(60_000);
  expect(await track(client)).toBeNull();
});

test('recent exports are the user’s own, newest first, at most sixty', async () => {
  const other = await make.user();
  for (let n = 0; n < 62; n++) {
    await rows(
      'insert into export_jobs (user_id, name, created_at, modified_at, in_progress, failed) values ($1, $2, $3, $3, $4, $5)',
      [n === 0 ? other.id : user.id, `Export ${n}`, clock.now(), n === 61, n === 60],
    );
  }
  const jobs = await client.call('GET /api/export/recent-export-jobs', {});
  expect(jobs).toHaveLength(60);
  expect(jobs.slice(0, 2)).toMatchObject([
    { name: 'Export 61', inProgress: true, failed: false, modifiedAt: clock.now().toISOString() },
    { name: 'Export 60', inProgress: false, failed: true },
  ]);
  expect(await (await signIn(app, other.username)).call('GET /api/export/recent-export-jobs', {})).toMatchObject([
    { name: 'Export 0' },
  ]);
});
