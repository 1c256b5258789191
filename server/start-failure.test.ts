import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { startFailure } from './start-failure.ts';

const databaseError = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'ERROR' });

test('a port in use is named in one line, with the variables that choose it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const [error] = await once(createServer().listen(port, '127.0.0.1'), 'error');
  server.close();
  const line = startFailure(error);
  expect(line).toContain(
    `it can't listen at 127.0.0.1:${port}, because another process uses this port. PORT, MLLP_PORT`,
  );
  expect(line).not.toContain('\n');
});

test('a database that cannot be reached or refuses the user is named in one line', async () => {
  const [error] = await once(connect(1, '127.0.0.1'), 'error');
  expect(startFailure(error)).toBe(
    "Tidings could not start: it can't connect to the database of DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1",
  );
  const ofTwo = Object.assign(new AggregateError([error, error]), { code: 'ECONNREFUSED' });
  expect(startFailure(ofTwo)).toMatch(/DATABASE_URL: ECONNREFUSED$/);
  const refused = databaseError('28P01', 'password authentication failed for user "tidings_admin"');
  expect(startFailure(refused)).toMatch(/DATABASE_URL: password authentication failed for user "tidings_admin"$/);
});

test('what is for the operator comes without a stack, and a fault of ours with it', () => {
  expect(startFailure(new ConfigError('PORT must be a number'))).toBe('PORT must be a number');
  expect(startFailure(new Error('Tidings needs PostgreSQL 15 or later, and this is 14'))).toBe(
    'Tidings could not start: Tidings needs PostgreSQL 15 or later, and this is 14',
  );
  expect(startFailure(new TypeError('x is undefined'))).toContain('\n    at ');
  expect(startFailure(databaseError('42P07', 'relation "x" already exists'))).toContain('\n    at ');
});
