/** `npm run organization` as whoever runs an installation uses it: in a process of its own, beside a server that runs. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateSync } from 'otplib';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { STANDARD_ROLES } from '#contract/permissions.ts';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { testDatabase } from '#server/testing/database.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { NEW_PASSWORD } from '#server/testing/passwords.ts';
import { guessWrong, trySignIn } from '#server/testing/sign-ins.ts';
import { startTidings, stopAllTidings } from '#server/testing/tidings-process.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MAIL = { TIDINGS_SMTP_URL: 'smtp://mail.tidings.test', TIDINGS_MAIL_FROM: 'no-reply@tidings.test' };
const ADA = ['--admin', 'ada@lakeshore.example', '--first-name', 'Ada', '--last-name', 'Obi'];

/** Runs the command. Returns its lines, and fails the test unless it exits with `code`. */
async function organization(env: Record<string, string>, args: readonly string[], code = 0): Promise<string[]> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const options = { cwd: ROOT, env: { PATH, NODE_COMPILE_CACHE, TIDINGS_DEMO: 'off', ...env } };
  const ended = await promisify(execFile)(process.execPath, ['scripts/organization.ts', ...args], options).then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(ended, ended.stderr).toMatchObject({ code });
  return `${ended.stdout}${ended.stderr}`.trimEnd().split('\n');
}

const linkIn = (lines: readonly string[]): string => lines.find((line) => line.includes('#token=')) ?? '';

/** Activates an account by its link, signs in, and sets up the second factor that administrators need in production. */
async function comeIn(url: string, username: string, link: string): Promise<Client> {
  const token = new URL(link).hash.slice('#token='.length);
  const client = anonymous({ url });
  const { purpose } = await client.call('GET /api/users/tokens/:token', { params: { token } });
  expect(purpose).toBe('ACCOUNT_ACTIVATION');
  await client.call('POST /api/password/set', { body: { token, password: NEW_PASSWORD } });
  expect(await trySignIn(client, username, NEW_PASSWORD)).toBe('enroll');
  const { secret } = await client.call('POST /api/users/optIntoMfa', {});
  await client.call('POST /api/users/mfa/confirm', { body: { code: generateSync({ secret }) } });
  client.teamId = (await client.call('GET /api/me', {})).defaultTeam;
  return client;
}

/** Invites a colleague to the administrator's own team and group. Returns the colleague's status. */
async function invite(client: Client, username: string): Promise<string> {
  const { teams } = await client.call('GET /api/admin/directory', {});
  const roles = await client.call('GET /api/admin/roles', {});
  const [team] = teams.filter(({ id }) => id === client.teamId);
  const roleId = roles.find(({ name }) => name === 'viewer')?.id ?? '';
  const grants = [{ teamId: team?.id ?? '', groupId: team?.groupIds[0] ?? '', roleId }];
  const body = { username, firstName: 'Bo', lastName: 'Lind', grants };
  return (await client.call('POST /api/users', { body })).status;
}

describe('an installation without any data', () => {
  afterEach(stopAllTidings);

  /** Adds the first organization while the server runs, and uses it. */
  async function begin(env: Record<string, string>, url: string): Promise<void> {
    expect(await organization(env, ['list'])).toEqual([
      'There are no organizations yet.',
      '0 operators who can sign in.',
    ]);
    const lines = await organization(env, ['add', '--name', 'Lakeshore Health', ...ADA, '--operator', '--print-link']);
    expect(lines.slice(0, -1)).toEqual([
      'Added the organization Lakeshore Health, with the group Lakeshore Health and the team Administration.',
      'ada@lakeshore.example is an administrator of Lakeshore Health (id 1, 1 group), and an operator.',
      expect.stringMatching(/^TIDINGS_PUBLIC_URL is not set, so the address is http:/),
      'Whoever has this link chooses the password. It works once, within 7 days:',
    ]);
    const client = await comeIn(url, 'ada@lakeshore.example', linkIn(lines));
    expect(linkIn(lines)).toContain(`${url}/registration#token=`);
    expect(await invite(client, 'bo@lakeshore.example')).toBe('INVITED');
    const { changes } = await client.call('GET /api/admin/changes', { query: {} });
    expect(changes.map(({ action, by }) => `${action} ${by?.name ?? '-'}`)).toEqual(
      expect.arrayContaining(['organization.add -', 'user.operator-access -', 'user.invite -', 'user.invite Ada Obi']),
    );
    expect(await organization(env, ['list'])).toEqual([
      '1  Lakeshore Health: 1 group, 1 team, 2 accounts, 1 administrator',
      '1 operator who can sign in.',
    ]);
  }

  test('begins on one’s own PostgreSQL', async () => {
    const database = await testDatabase();
    const [port, mllp] = [await freePort(), await freePort()];
    const env = { DATABASE_URL: database.adminUrl, PORT: String(port), MLLP_PORT: String(mllp) };
    const tidings = await startTidings(env);
    const { rows } = await database.owner.query<{ name: string }>('select name from roles order by name');
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(STANDARD_ROLES).toSorted());
    await begin(env, `http://127.0.0.1:${port}`);
    await tidings.stop();
  });

  test('begins on the embedded database, and goes on while the server is stopped', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-first-')));
    chmodSync(folder, 0o755);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [port, mllp] = [await freePort(), await freePort()];
    const env = { TIDINGS_DATA_DIR: join(folder, 'data'), PORT: String(port), MLLP_PORT: String(mllp) };
    const url = `http://127.0.0.1:${port}`;
    expect(await organization(env, ['list'], 1)).toEqual([
      `Nothing was changed: There is no database in ${join(folder, 'data')}`,
    ]);
    const tidings = await startTidings(env);
    await begin(env, url);
    await tidings.stop();
    const elm = ['add', '--name', 'Elm Health', '--admin', 'eve@elm.example', '--first-name', 'Eve'];
    const lines = await organization(env, [...elm, '--last-name', 'Elm', '--print-link']);
    const again = await startTidings(env);
    const client = await comeIn(url, 'eve@elm.example', linkIn(lines));
    const { users } = await client.call('GET /api/admin/users', { query: {} });
    expect(users.map(({ username }) => username)).toEqual(['eve@elm.example']);
    await again.stop();
  });
});

describe('with organizations', async () => {
  const app = await startApp();
  const { database, make } = app;
  const env = { DATABASE_URL: database.adminUrl, TIDINGS_PUBLIC_URL: 'https://tidings.test', ...MAIL };
  const count = async () => {
    const { rows } = await database.owner.query(sql`
      select (select count(*) from organizations) as organizations, (select count(*) from users) as users,
        (select count(*) from grants) as grants, (select count(*) from outbox) as letters, (select count(*) from audit_entries) as entries`);
    return rows[0];
  };
  /** Runs what has to be refused, and returns the one line that says why. */
  const refused = async (args: readonly string[], over: Record<string, string> = {}): Promise<string> => {
    const before = await count();
    const lines = await organization({ ...env, ...over }, args, 1);
    expect(await count()).toEqual(before);
    expect(lines).toHaveLength(1);
    return lines[0]?.replace('Nothing was changed: ', '') ?? '';
  };

  test('the invitation is mailed, with a link that activates the account', async () => {
    const person = ['--admin', 'Mia@Birch.example', '--first-name', 'Mia', '--last-name', 'Birk'];
    const place = ['--team', 'Ward team', '--group', 'Birch ACO', '--time-zone', 'America/Chicago'];
    const lines = await organization(env, ['add', '--name', '  Birch   Health ', ...person, ...place]);
    expect(lines).toEqual([
      'Added the organization Birch Health, with the group Birch ACO and the team Ward team.',
      expect.stringMatching(/^mia@birch\.example is an administrator of Birch Health \(id \d+, 1 group\)\.$/),
      'An invitation was mailed. Its link leads to https://tidings.test and works once, within 7 days.',
    ]);
    const [letter, ...others] = await lettersTo(database, 'mia@birch.example');
    expect(others).toEqual([]);
    expect(letter?.body).toContain('https://tidings.test/registration#token=');
    // The command has the time of day, and the test's server another one.
    app.clock.advance(Date.now() - app.clock.now().getTime());
    const client = anonymous(app);
    await client.call('POST /api/password/set', { body: { token: tokenIn(letter), password: NEW_PASSWORD } });
    await client.call('POST /api/authenticate', { body: { username: 'mia@birch.example', password: NEW_PASSWORD } });
    client.teamId = (await client.call('GET /api/me', {})).defaultTeam;
    const { groups } = await client.call('GET /api/admin/groups', { query: {} });
    expect(groups).toMatchObject([{ name: 'Birch ACO', type: 'PROGRAM', timeZone: 'America/Chicago' }]);
  });

  test('what exists, is missing or cannot be is refused in one line', async () => {
    await make.organization({ name: 'Cedar Health' });
    const { username } = await make.user();
    expect(await refused(['add', '--name', 'cedar health', ...ADA])).toBe(
      'There is already an organization named Cedar Health',
    );
    const taken = ['--admin', username.toUpperCase(), '--first-name', 'A', '--last-name', 'B'];
    expect(await refused(['add', '--name', 'Fir', ...taken])).toBe(
      `There is already an account with the address ${username}`,
    );
    expect(await refused(['add-admin', '--name', 'Cedar Health', ...taken])).toMatch(/^There is already an account/);
    expect(await refused(['add-admin', '--name', 'Cedar Health', '--admin', username])).toMatch(
      / another organization$/,
    );
    expect(await refused(['add-admin', '--name', 'Cedar Health', '--admin', 'x@cedar.example'])).toMatch(
      /^There is no account with the address x@cedar\.example/,
    );
    expect(await refused(['add-admin', '--id', '4711', ...ADA])).toBe('There is no organization with the id 4711');
    expect(await refused(['add-admin', '--id', '1', '--name', 'Cedar Health', ...ADA])).toMatch(/^--name and --id/);
    expect(await refused(['add', '--name', 'Fir', '--admin', 'nobody'])).toBe('--admin: Enter an email address.');
    expect(await refused(['add', ...ADA])).toMatch(/^--name is missing; use: npm run organization -- add /);
    expect(await refused(['add', '--name', ' ', ...ADA])).toBe('--name: Must not be empty.');
    expect(await refused(['add', '--name', 'F'.repeat(201), ...ADA])).toMatch(/^--name: /);
    expect(await refused(['add', '--name', 'Fir', ...ADA, '--time-zone', 'Mars'])).toMatch(/^--time-zone: Must be/);
    expect(await refused(['add', '--name', 'Fir', ...ADA, '--admn', 'x'])).toBe("Unknown option '--admn'");
    expect(await refused(['remove'])).toMatch(/^'remove' is not a command; use: /);
    expect(await refused([])).toMatch(/^use: npm run organization/);
    expect(await refused(['add', '--name', 'Fir', ...ADA], { TIDINGS_SMTP_URL: '' })).toMatch(
      /^there is no mail server \(TIDINGS_SMTP_URL\)/,
    );
    const elsewhere = new URL(database.adminUrl);
    elsewhere.pathname = '/nothing_here';
    expect(await refused(['list'], { DATABASE_URL: elsewhere.href })).toMatch(/^start this version of Tidings once/);
    elsewhere.password = 'another';
    expect(await refused(['list'], { DATABASE_URL: elsewhere.href })).toMatch(/^the database refuses the password/);
  });

  test('an organization gets another administrator once none of its own can sign in', async () => {
    const { id: organizationId } = await make.organization({ name: 'Dogwood Health' });
    const groups = [await make.group({ organizationId }), await make.group({ organizationId })];
    const team = await make.team({ organizationId, groupIds: groups.map(({ id }) => id) });
    await make.team({ organizationId, groupIds: [groups[0]?.id ?? ''] });
    const last = await make.user({ team, role: 'administrator' });
    const dana = ['--admin', 'dana@dogwood.example', '--first-name', 'Dana', '--last-name', 'Wood'];
    const again = ['add-admin', '--name', 'dogwood health', ...dana, '--print-link'];
    expect(await refused(again)).toBe(
      'Dogwood Health has an administrator who can sign in and invite others. To add one nevertheless, use --additional',
    );
    await database.owner.query(sql`update users set disabled_at = ${new Date()} where id = ${last.id}`);
    expect((await organization(env, ['list'])).join('\n')).toContain(
      'Dogwood Health: 2 groups, 2 teams, 0 accounts, no administrator who can sign in',
    );
    expect((await organization(env, again))[0]).toMatch(
      /^dana@dogwood\.example is an administrator of Dogwood Health \(id \d+, 2 groups\)\.$/,
    );
    expect(await lettersTo(database, 'dana@dogwood.example')).toEqual([]);
    const { rows } = await database.owner.query(sql`
      select n.team_id as team, n.group_id as "group" from grants n join users u on u.id = n.user_id
      where u.username = 'dana@dogwood.example' order by n.group_id`);
    expect(rows).toEqual(groups.map(({ id }) => ({ team: team.id, group: id })));
    expect((await organization(env, ['list'])).join('\n')).toContain('no administrator who can sign in, 1 invited');
  });

  test('a colleague who has an account becomes the administrator with it', async () => {
    const { id: organizationId, name } = await make.organization({ name: 'Elder Health' });
    const team = await make.team({ organizationId });
    const nurse = await make.user({ team, role: 'viewer' });
    expect(await organization(env, ['add-admin', '--name', name, '--admin', nurse.username, '--operator'])).toEqual([
      `${nurse.username} is an administrator of Elder Health (id ${organizationId}, 1 group), and an operator.`,
      expect.stringMatching(/^They sign in with their password\./),
    ]);
    expect((await lettersTo(database, nurse.username)).map(({ subject }) => subject)).toEqual([
      'Your Tidings account was changed',
    ]);
    const client = anonymous(app);
    expect(await trySignIn(client, nurse.username, TEST_PASSWORD)).toMatch(/^(home|enroll)$/);
    const { rows } = await database.owner.query(sql`
      select action, user_id, organization_id as "of", detail ->> 'by' as by from audit_entries
      where subject = 'user' and subject_id = ${nurse.id} and action like '%-access' order by id`);
    const entry = { user_id: null, of: organizationId, by: 'command' };
    expect(rows).toEqual([
      { action: 'user.administrator-access', ...entry },
      { action: 'user.operator-access', ...entry },
    ]);
  });

  test('an organization without any team gets one for its administrator', async () => {
    const { id } = await make.organization({ name: 'Fir Health' });
    const person = ['--admin', 'finn@fir.example', '--first-name', 'Finn', '--last-name', 'Fir'];
    await organization(env, ['add-admin', '--id', id, ...person]);
    expect((await organization(env, ['list'])).join('\n')).toContain('Fir Health: 1 group, 1 team, 1 account');
  });

  /** Runs `unlock` for one account, and has its owner set a new password by the link. Returns what the link is for. */
  const unlock = async (username: string, args: readonly string[] = ['--print-link']) => {
    const lines = await organization(env, ['unlock', username, ...args]);
    const letter = (await lettersTo(database, username)).at(-1);
    const token = args.length > 0 ? (linkIn(lines).split('#token=')[1] ?? '') : tokenIn(letter);
    app.clock.advance(Date.now() - app.clock.now().getTime());
    const { purpose } = await anonymous(app).call('GET /api/users/tokens/:token', { params: { token } });
    await anonymous(app).call('POST /api/password/set', { body: { token, password: NEW_PASSWORD } });
    expect(await trySignIn(anonymous(app), username, NEW_PASSWORD)).toMatch(/^(home|enroll)$/);
    return { purpose, lines };
  };

  test('a locked account opens with the link that unlock prints or mails', async () => {
    const [guessed, idle] = [await make.user(), await make.user()];
    await guessWrong(anonymous(app), guessed.username, 3);
    expect(await trySignIn(anonymous(app), guessed.username, TEST_PASSWORD)).toBe('LOCKED');
    const printed = await unlock(guessed.username.toUpperCase());
    expect(printed).toEqual({
      purpose: 'ACCOUNT_UNLOCK',
      lines: [
        'Whoever has this link chooses the password. It works once, within 24 hours:',
        expect.stringMatching(/^https:\/\/tidings\.test\/.*#token=/),
      ],
    });
    const long = new Date(Date.now() - 91 * 24 * 3600_000);
    await database.owner.query(sql`
      update users set activated_at = ${long}, current_login_at = ${long}, password_changed_at = ${long} where id = ${idle.id}`);
    expect(await trySignIn(anonymous(app), idle.username, TEST_PASSWORD)).toBe('PASSWORD_EXPIRED');
    expect(await unlock(idle.username, [])).toEqual({
      purpose: 'ACCOUNT_UNLOCK',
      lines: [
        `An email was sent to ${idle.username}. Its link leads to https://tidings.test and works once, within 24 hours.`,
      ],
    });
    const { rows } = await database.owner.query(sql`
      select action, user_id, detail ->> 'by' as by from audit_entries
      where subject_id in (${guessed.id}, ${idle.id}) and action like 'user.send%'`);
    const entry = { action: 'user.send-unlock', user_id: null, by: 'command' };
    expect(rows).toEqual([entry, entry]);
  });

  test('unlock gives a link to a password to open and to new accounts, and refuses those without a password', async () => {
    const { username } = await make.user();
    expect((await unlock(username)).purpose).toBe('PASSWORD_RESET');
    const fresh = await make.user();
    await database.owner.query(sql`update users set activated_at = null, password_hash = null where id = ${fresh.id}`);
    expect((await unlock(fresh.username)).purpose).toBe('ACCOUNT_ACTIVATION');

    const disabled = await make.user();
    await database.owner.query(sql`update users set disabled_at = ${new Date()} where id = ${disabled.id}`);
    expect(await refused(['unlock', disabled.username])).toBe(`The account of ${disabled.username} is disabled`);
    const { id: organizationId } = await make.organization({ name: 'Gum Health' });
    const managed = await make.user({ team: await make.team({ organizationId }) });
    await database.owner.query(sql`update organizations set requires_sso = true where id = ${organizationId}`);
    expect(await refused(['unlock', managed.username])).toMatch(/ signs in with the account of their organization/);
    expect(await refused(['unlock', 'x@gum.example'])).toBe('There is no account with the address x@gum.example');
    expect(await refused(['unlock'])).toMatch(/^unlock takes the address of one account/);
    expect(await refused(['unlock', username, 'x@gum.example'])).toMatch(/^unlock takes the address of one account/);
    expect(await refused(['unlock', username], { TIDINGS_SMTP_URL: '' })).toMatch(/^there is no mail server/);
  });
});
