import { describe, expect, test } from 'vitest';
import { STANDARD_ROLES } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { grantRole } from '../provisioning.ts';

const demoAccounts = [{ username: 'rosa@tidings.test', password: 'a demo password', about: 'Care coordinator' }];
const app = await startApp({
  demoAccounts,
  config: { demo: true, companyName: 'Alder Bay', support: { email: 'help@tidings.test', phone: null, link: null } },
});
const { make, clock, database } = app;

describe('the current user', () => {
  test('comes with teams, groups and the permissions for each', async () => {
    const organization = await make.organization();
    const groups = [
      await make.group({ organizationId: organization.id, type: 'HOS', state: 'NY', isAutomated: true }),
      await make.group({ organizationId: organization.id }),
    ] as const;
    const team = await make.team({
      organizationId: organization.id,
      groupIds: groups.map(({ id }) => id),
      abbreviation: 'CC',
      type: 'HOS',
    });
    const user = await make.user({
      team,
      role: 'viewer',
      removed: ['canViewLengthOfStay'],
      title: 'RN',
      applicationExperience: 'ANAHIT_AUTH0_SSO',
      primaryClinicalSetting: 'ED',
    });
    await grantRole(database.pipeline, {
      userId: user.id,
      teamId: team.id,
      groupId: groups[1].id,
      role: 'analyst',
      added: ['canUploadRoster'],
    });
    const at = clock.now().toISOString();
    const viewer = STANDARD_ROLES.viewer.filter((flag) => flag !== 'canViewLengthOfStay');
    const analyst = [...STANDARD_ROLES.analyst, 'canUploadRoster'];

    const client = await signIn(app, user.username);
    expect(await client.call('GET /api/me', {})).toEqual({
      daysUntilPasswordExpiration: 90,
      inactivityMinutes: 40,
      previousSuccessfulLogin: null,
      numberSuccessfulLogins: 1,
      mfaOptedIn: false,
      defaultTeam: team.id,
      preferences: { timeZone: 'America/New_York', density: 'comfortable', singleKeyShortcuts: true },
      defaultFilters: [],
      sessionEndsAt: new Date(clock.now().getTime() + 12 * 60 * 60 * 1000).toISOString(),
      draftKey: expect.stringMatching(/^[\w-]{43}$/) as string,
      user: {
        id: user.id,
        firstName: 'Ama',
        lastName: 'Osei',
        title: 'RN',
        userTypeTitle: null,
        username: user.username,
        previousSuccessfulLogin: null,
        createdDate: at,
        currentLoginDate: at,
        firstLoginDate: at,
        usersFirstLogin: true,
        numberSuccessfulLogins: 1,
        primaryClinicalSetting: 'ED',
        lastActivationEmailDate: null,
        isSSO: true,
        isAuth0: true,
        applicationExperience: 'ANAHIT_AUTH0_SSO',
        patientId: null,
        ehrPatientIdentifier: null,
        needPatientBanner: true,
        mfaOptedIn: false,
        teams: {
          [team.id]: {
            id: team.id,
            createdDate: at,
            abbreviation: 'CC',
            name: team.name,
            type: 'HOS',
            organization: { id: organization.id, name: organization.name, createdDate: at },
            permissions: [...new Set([...viewer, ...analyst])],
            groups: {
              [groups[0].id]: {
                id: groups[0].id,
                name: groups[0].name,
                state: 'NY',
                type: 'HOS',
                isAutomated: true,
                timeZone: 'America/New_York',
                permissions: viewer,
              },
              [groups[1].id]: {
                id: groups[1].id,
                name: groups[1].name,
                state: null,
                type: 'PROGRAM',
                isAutomated: false,
                timeZone: 'America/New_York',
                permissions: analyst,
              },
            },
          },
        },
      },
    });
  });

  test('has the previous sign-in, and signs in for the first time only once', async () => {
    const user = await make.user();
    await signIn(app, user.username);
    const first = clock.now().toISOString();
    clock.advance(3_600_000);
    const me = await (await signIn(app, user.username)).call('GET /api/me', {});
    expect(me).toMatchObject({ previousSuccessfulLogin: first, numberSuccessfulLogins: 2, defaultTeam: null });
    expect(me.user).toMatchObject({ usersFirstLogin: false, firstLoginDate: first, teams: {} });
  });
});

describe('the default team', () => {
  test('is remembered across sign-ins, and dropped with the grant', async () => {
    const [one, two] = [await make.team({ name: 'A' }), await make.team({ name: 'B' })];
    const user = await make.user({ team: one });
    await grantRole(database.pipeline, { userId: user.id, teamId: two.id, role: 'viewer' });
    const client = await signIn(app, user.username);
    expect(client.teamId).toBe(one.id);
    await client.call('PUT /api/users/default-team', { query: { teamId: two.id } });
    expect((await signIn(app, user.username)).teamId).toBe(two.id);
    await database.pipeline.query(sql`delete from grants where user_id = ${user.id} and team_id = ${two.id}`);
    expect((await signIn(app, user.username)).teamId).toBe(one.id);
  });

  test('cannot be another team, or one that does not exist', async () => {
    const client = await signIn(app, (await make.user({ team: await make.team() })).username);
    const foreign = await make.team();
    for (const teamId of [foreign.id, '9223372036854775807']) {
      await expect(client.call('PUT /api/users/default-team', { query: { teamId } })).rejects.toMatchObject({
        body: { errorKey: 'NOT_YOUR_TEAM' },
      });
    }
  });
});

test('the application info is public: names, contacts and demo accounts', async () => {
  expect(await anonymous(app).call('GET /api/application-info', {})).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    productName: 'Tidings',
    companyName: 'Alder Bay',
    support: { email: 'help@tidings.test', phone: null, link: null },
    features: { supportWidget: null, demoAccounts },
    limits: { rosterRows: 2_000_000, rosterBytes: 1_073_741_824 },
  });
});
