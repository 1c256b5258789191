import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { buildHttp } from './http.ts';
import { type RegisteredRoute, route } from './people/access/route.ts';
import { accountRoutes } from './people/accounts/routes.ts';
import { createLog } from './platform/http/log.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD, TEST_SECRETS } from './testing/app.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'tidings-web-'));
mkdirSync(join(webRoot, 'assets'));
const page = (nonce: string) => `<meta property="csp-nonce" nonce="${nonce}" /><title>Tidings</title>`;
writeFileSync(join(webRoot, 'index.html'), page('nonce-of-this-page'));
writeFileSync(join(webRoot, 'assets/main-4f2a.js'), 'plain');
writeFileSync(join(webRoot, 'assets/main-4f2a.js.br'), 'compressed');
afterAll(() => rmSync(webRoot, { recursive: true }));

const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

const app = await startApp({
  webRoot,
  log,
  routes: () => [
    route('GET /api/rosters/:groupId/uploads/latest', ({ params }) => {
      if (params.groupId === '1') return null;
      throw new Error('Marguerite is in the message, which our own errors never do', {
        cause: { body: 'Marguerite' },
      });
    }),
    route('GET /api/pings/count/:kind', () => ({ count: 3, secret: 'Marguerite' })),
    route('POST /api/pings-result-hashes', () => ({ hashes: ['Marguerite', 1], hash: 'a' }) as never),
    route('POST /api/feeds/preview', ({ body }) => {
      throw new Error(`${body.text.length}`);
    }),
  ],
});
const user = await app.make.user({ team: await app.make.team(), role: 'administrator' });
const client = await signIn(app, user.username);

const errorOf = async (response: Response) => ({ ...((await response.json()) as ErrorBody), status: response.status });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  client.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('a response', () => {
  test('has strict headers, a request id, and is not cached', async () => {
    const { headers } = await client.fetch('/api/me');
    const policy = headers.get('content-security-policy')?.split(';');
    expect(policy).toEqual(
      expect.arrayContaining(["script-src 'self'", "frame-ancestors 'none'", "default-src 'self'"]),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('has no field beyond the contract', async () => {
    const response = await client.fetch('/api/pings/count/open');
    expect(await response.text()).toBe('{"count":3}');
  });

  test('is INTERNAL if it violates the contract, and the log names the field without its value', async () => {
    const error = await errorOf(await post('/api/pings-result-hashes', '{}'));
    expect(error).toMatchObject({ status: 500, errorKey: 'INTERNAL' });
    const line = logged().find(({ reqId, msg }) => reqId === error.requestId && msg === 'INTERNAL');
    expect(line).toMatchObject({ answerIssues: ['hashes.1: invalid_type'], route: 'POST /api/pings-result-hashes' });
    expect(JSON.stringify(line)).not.toContain('Marguerite');
  });

  test('may be null', async () => {
    expect(await client.call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId: '1' } })).toBeNull();
  });
});

describe('an error', () => {
  test('that is unexpected tells the caller nothing, and the log has its stack and ids', async () => {
    const response = await client.fetch('/api/rosters/2/uploads/latest?name=Marguerite');
    const error = await errorOf(response);
    expect(error).toEqual({
      status: 500,
      errorKey: 'INTERNAL',
      message: 'Something went wrong on our end, and we recorded it. Try again in a moment.',
      requestId: response.headers.get('x-request-id'),
    });
    const ofCall = logged().filter(({ reqId }) => reqId === error.requestId);
    expect(ofCall).toMatchObject([
      { msg: 'INTERNAL', userId: user.id, err: { type: 'Error', stack: expect.stringContaining('http.db.test.ts') } },
      { route: '/api/rosters/:groupId/uploads/latest', status: 500, userId: user.id, teamId: client.teamId },
    ]);
    expect(lines.filter((line) => line.split('"reqId"').length > 2)).toEqual([]);
    expect(JSON.stringify(ofCall)).not.toContain('name=');
    expect(JSON.stringify(ofCall)).not.toContain('"body"');
  });

  test('in the request names the fields, never their values', async () => {
    const wrong = await errorOf(await post('/api/authenticate', '{"username":"","password":17}'));
    expect(wrong).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST' });
    expect(Object.keys(wrong.fields ?? {}).sort()).toEqual(['password', 'username']);
    expect(wrong.fields?.['username']).toBe('Enter your username.');
    const missing = await errorOf(await post('/api/authenticate', '{"username":["Marguerite"]}'));
    expect(missing.fields).toEqual({ username: 'Must be text.', password: 'Is missing.' });
    const params = await errorOf(await client.fetch('/api/rosters/Marguerite/uploads/latest'));
    expect(params).toMatchObject({ status: 400, fields: { groupId: 'Must be a whole number.' } });
  });

  test('in the body’s format is BAD_REQUEST', async () => {
    for (const [body, type] of [
      ['{"username": Marguerite', 'application/json'],
      ['', 'application/json'],
      ['username=a', 'application/x-www-form-urlencoded'],
      ['hello', 'text/plain'],
    ] as const) {
      const error = await errorOf(await post('/api/authenticate', body, { 'content-type': type }));
      expect(error).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST', fields: { body: expect.any(String) } });
      expect(JSON.stringify(error)).not.toContain('Marguerite');
    }
  });

  test('is not that a call without a body names the type of one', async () => {
    const team = await app.make.team();
    const user = await signIn(app, (await app.make.user({ team, role: 'care coordinator' })).username);
    const headers = { 'content-type': 'application/json' };
    const ping = await app.make.ping({ groupId: team.groupIds[0] });
    const gone = await user.fetch(`/api/patients/${ping.patientId}/viewing`, { method: 'DELETE', body: '', headers });
    expect(gone.status).toBeLessThan(300);
    const missing = await user.fetch('/api/hand-over', { method: 'POST', body: '', headers });
    expect(await errorOf(missing)).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST' });
    expect((await user.fetch('/api/logout', { method: 'POST', body: '', headers })).status).toBeLessThan(300);
  });

  test('in a text that the database can’t store is BAD_REQUEST, and is not logged as our failure', async () => {
    lines.length = 0;
    for (const response of [
      await post('/api/authenticate', JSON.stringify({ username: 'a\u0000', password: 'x' })),
      await client.fetch('/api/password/forgot?username=a%00'),
      await client.fetch('/api/admin/users?query=%00'),
    ])
      expect(await errorOf(response)).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST' });
    expect(logged().filter(({ err }) => err !== undefined)).toEqual([]);
  });

  test('in a body, address or header beyond all measure is refused, and is not our failure', async () => {
    lines.length = 0;
    const saved = { name: 'a\ud800', searchContext: 'PINGS' };
    for (const response of [
      await post('/api/patient-search-params', JSON.stringify(saved)),
      await post('/api/authenticate', '['.repeat(16_000)),
      await post('/api/feeds/preview', `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
      await post('/api/feeds/preview', `{"a":[${'1,'.repeat(30_000)}1]}`),
      await post('/api/session/activity', `{${Array.from({ length: 21_000 }, (_, n) => `"${n}":1`).join()}}`),
      await post('/api/feeds/preview', '{"__proto__":{"text":"x"},"feedId":"1"}'),
      await post('/api/feeds/preview', '{"constructor":{"prototype":{"text":"x"}},"feedId":"1"}'),
      await client.fetch(`/api/admin/users?query=${'x'.repeat(9000)}`),
      await client.fetch(`/api/admin/users?${Array.from({ length: 200 }, (_, index) => `k${index}=1`).join('&')}`),
    ])
      expect(await errorOf(response)).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST' });
    const large = await client.fetch('/api/me', { headers: { 'x-large': 'x'.repeat(20_000) } });
    expect(large.status).toBe(431);
    expect(await errorOf(large)).toMatchObject({ status: 431, errorKey: 'HEADERS_TOO_LARGE' });
    expect(logged().filter(({ err }) => err !== undefined)).toEqual([]);
    expect(({} as Record<string, unknown>)['text']).toBeUndefined();
  });

  test('is TOO_LARGE beyond the limit of a call, which is low before sign-in', async () => {
    const large = JSON.stringify({ feedId: '1', text: 'x'.repeat(5 * 1024 * 1024) });
    expect(await errorOf(await post('/api/feeds/preview', large))).toMatchObject({
      status: 413,
      errorKey: 'TOO_LARGE',
    });
    const filters = JSON.stringify({ query: 'x'.repeat(300_000) });
    expect(await errorOf(await post('/api/pings', filters))).toMatchObject({ status: 413 });
    const credentials = JSON.stringify({ username: 'a', password: 'x'.repeat(20_000) });
    expect(await errorOf(await post('/api/authenticate', credentials))).toMatchObject({ status: 413 });
  });

  test('is NOT_FOUND for unknown routes', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['DELETE', '/api/me'],
      ['GET', '/api'],
      ['GET', '/assets/gone-1.js'],
    ] as const) {
      const error = await errorOf(await client.fetch(path, { method }));
      expect([path, error.status, error.errorKey]).toEqual([path, 404, 'NOT_FOUND']);
    }
    expect(await errorOf(await client.fetch('/%zz'))).toMatchObject({ status: 400, errorKey: 'BAD_REQUEST' });
  });

  test('is FOREIGN_ORIGIN for a change sent from another site, before any other check', async () => {
    const headers = { origin: 'https://evil.test' };
    expect(await errorOf(await post('/api/authenticate', '{', headers))).toMatchObject({ errorKey: 'FOREIGN_ORIGIN' });
    const foreign = await client.fetch('/api/logout', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } });
    expect(foreign.status).toBe(403);
    expect((await client.fetch('/api/me')).status).toBe(200);
  });
});

describe('the log', () => {
  test('has no password, cookie, query or body, wherever they appear', () => {
    const secrets: string[] = [];
    const probe = createLog('info', { write: (line) => void secrets.push(line) });
    probe.info({
      password: 'Marguerite',
      user: { password: 'Marguerite' },
      req: { headers: { cookie: 'Marguerite' } },
    });
    probe.error({ err: Object.assign(new Error('x'), { detail: 'Marguerite', body: 'Marguerite' }) });
    expect(secrets).toHaveLength(2);
    expect(secrets.join()).not.toContain('Marguerite');
  });

  test('has no mailed token, in any link or call', async () => {
    lines.length = 0;
    const token = 'a-mailed-token-of-someone';
    const call = { token, password: 'seven herons on a lake' };
    for (const [path, status] of [
      [`/password/set?token=${token}`, 200],
      [`/registration?token=${token}`, 200],
      [`/api/users/tokens/${token}`, 404],
      [`/api/users/tokens/${token}/more`, 404],
      [`/api/users/tokens/${token.repeat(9)}`, 404],
    ] as const)
      expect((await client.fetch(path)).status).toBe(status);
    expect((await post('/api/password/set', JSON.stringify(call))).status).toBe(404);
    expect(lines.length).toBeGreaterThanOrEqual(6);
    expect(lines.join()).not.toContain(token);
  });
});

describe('the pages', () => {
  const styleNonceOf = (response: Response): string =>
    /style-src 'self' 'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '';

  test('are the application for the paths of its router', async () => {
    for (const path of ['/', '/dashboard/home/inbox?p=2', '/ehr/patients/12_7', '/inbox']) {
      const response = await client.fetch(path);
      const nonce = styleNonceOf(response);
      expect([path, response.status, await response.text()]).toEqual([path, 200, page(nonce)]);
      expect(nonce).toMatch(/^[\w+/]{22}==$/);
    }
    expect((await client.fetch('/dashboard', { method: 'POST' })).status).toBe(404);
  });

  test('have the user asked for ahead behind sign-in, for browsers with a session', async () => {
    const link = async (url: string, cookie = 'tidings_session=some') =>
      (await app.http.inject({ url, headers: { cookie } })).headers.link;
    for (const path of ['/dashboard/home/inbox?p=2', '/hospital/rosters', '/ehr/inbox'])
      expect([path, await link(path)]).toEqual([path, '</api/me>; rel=preload; as=fetch; crossorigin']);
    for (const path of ['/', '/login', '/registration', '/error', '/dashboard/no-such-page'])
      expect([path, await link(path)]).toEqual([path, undefined]);
    expect(await link('/dashboard/home/inbox', 'other=some')).toBeUndefined();
  });

  test('need no compression, and folders are no pages', async () => {
    const plain = (url: string) => app.http.inject({ url, headers: { 'accept-encoding': 'identity' } });
    const statuses = [];
    for (const url of ['/', '/login', '/assets', '/assets/']) statuses.push((await plain(url)).statusCode);
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  test('have a new nonce each time, are not cached, and let no other inline style apply', async () => {
    const [first, second] = [await client.fetch('/login'), await client.fetch('/login')];
    expect(styleNonceOf(first)).not.toBe(styleNonceOf(second));
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('etag')).toBeNull();
    const policy = first.headers.get('content-security-policy');
    expect(policy).not.toContain('unsafe-inline');
    expect(policy?.split(';')).toContain("style-src-attr 'none'");
    const call = (await client.fetch('/api/me')).headers.get('content-security-policy');
    expect(call?.split(';')).toContain("style-src 'self'");
  });

  test('do not exist at any other path: browsers get the application, which says so or asks to sign in, programs an error', async () => {
    for (const path of ['/metrics', '/wp-admin', '/dashboard/nothing', '/index.html', '/.env', '/api/nothing']) {
      const plain = await client.fetch(path);
      expect([path, plain.status, (await errorOf(plain)).errorKey]).toEqual([path, 404, 'NOT_FOUND']);
      const shown = await client.fetch(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([path, shown.status, await shown.text()]).toEqual([path, 404, page(styleNonceOf(shown))]);
    }
  });

  test('are cached forever if their name has a hash, and compressed for clients that accept it', async () => {
    const compressed = await app.http.inject({ url: '/assets/main-4f2a.js', headers: { 'accept-encoding': 'br' } });
    expect(compressed.body).toBe('compressed');
    expect(compressed.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
    });
    const plain = await app.http.inject({ url: '/assets/main-4f2a.js' });
    expect([plain.body, plain.headers['content-encoding']]).toEqual(['plain', undefined]);
  });
});

describe('the health check', () => {
  test('is healthy, and ready once all migrations have run', async () => {
    expect((await anonymous(app).fetch('/healthz')).status).toBe(200);
    expect(await (await anonymous(app).fetch('/readyz')).json()).toEqual({ status: 'ready' });
    await app.database.owner.query(`update migrations set name = 'x' || name where name like '0001%'`);
    const ready = async () => {
      const response = await anonymous(app).fetch('/readyz');
      return [response.status, await response.json()];
    };
    await expect.poll(ready, { timeout: 5000 }).toEqual([503, { status: 'waiting', for: 'migrations' }]);
    await app.database.owner.query(`update migrations set name = substr(name, 2) where name like 'x%'`);
  });
});

describe('a server', () => {
  const start = (routes: RegisteredRoute[], trustedProxies: string[] = []) =>
    buildHttp({
      config: { publicUrl: 'https://tidings.test', trustedProxies },
      log: createLog('silent'),
      db: app.database.app,
      sessions: { find: async () => null },
      audit: app.audit,
      routes,
      webRoot,
      publicCallsPerMinute: 2,
    });
  const all = async () => {
    const { routes } = await import('#contract/routes.ts');
    return (Object.keys(routes) as (keyof typeof routes)[]).map((key) => route(key, () => ({})));
  };

  test('does not start if a route has no handler, or two', async () => {
    const routes = await all();
    await expect(start(routes.slice(1))).rejects.toThrow('These routes have no handler: POST /api/authenticate');
    await expect(start([...routes, ...routes.slice(0, 1)])).rejects.toThrow('two handlers: POST /api/authenticate');
  });

  test('does not start if a handler is not in the contract', async () => {
    const http = await start(await all());
    expect(() => http.get('/api/back-door', () => 'open')).toThrow('GET /api/back-door is not in the contract');
    expect(() =>
      http.register(async (scope) => void scope.get('/door', () => 'open'), { prefix: '/api' }),
    ).not.toThrow();
    await expect(http.ready()).rejects.toThrow('GET /api/door is not in the contract');
  });

  test('limits public calls per minute by address, ignoring claimed addresses', async () => {
    const http = await start(await all());
    const call = (forwarded: string) =>
      http.inject({ url: '/api/application-info', headers: { 'x-forwarded-for': forwarded } });
    const answers = [await call('10.0.0.1'), await call('10.0.0.2'), await call('10.0.0.3')];
    expect(answers[2]?.json()).toMatchObject({ status: 429, errorKey: 'TOO_MANY_REQUESTS' });
    expect(answers[2]?.headers['strict-transport-security']).toBe('max-age=31536000');
    await http.close();
  });

  test('trusts the address that its own proxy reports', async () => {
    const http = await start(await all(), ['127.0.0.0/8']);
    const call = (forwarded: string) =>
      http.inject({ url: '/api/application-info', headers: { 'x-forwarded-for': forwarded } });
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) expect((await call(address)).statusCode).not.toBe(429);
    await http.close();
  });

  test('sets cookies over https that only this host can set', async () => {
    const { username } = await app.make.user();
    const accounts = accountRoutes({
      db: app.database.app,
      clock: app.clock.now,
      log,
      config: {
        publicUrl: 'https://tidings.test',
        demo: false,
        companyName: '',
        support: { email: null, phone: null, link: null },
        smtp: null,
        twilio: null,
        neutralAnswers: false,
        sessionHours: 12,
        isProduction: true,
      },
      secrets: TEST_SECRETS,
      defaultFilters: async () => [],
    });
    const own = new Set(accounts.map(({ key }) => key));
    const http = await start([...accounts, ...(await all()).filter(({ key }) => !own.has(key))]);
    const payload = { username, password: TEST_PASSWORD };
    const { headers } = await http.inject({ method: 'POST', url: '/api/authenticate', payload });
    const [session, device] = headers['set-cookie'] as string[];
    expect(session).toMatch(/^__Host-tidings_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(device).toMatch(/^__Host-tidings_device=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    await http.close();
  });
});
