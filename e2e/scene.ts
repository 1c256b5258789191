import { type APIRequestContext, expect } from '@playwright/test';
import { TEAM_HEADER } from '#contract/constants.ts';
import type { Permission, StandardRole } from '#contract/permissions.ts';
import type { RosterJob } from '#contract/rosters.ts';
import { grantRole, type NewUser } from '#server/people/accounts/provisioning.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { factories, TEST_PASSWORD } from '#server/testing/factories.ts';
import { connectHospital, type Hospital } from './hospital.ts';
import { type Person, personOf, rosterOf } from './people.ts';
import { runningServer } from './start-server.ts';

export interface SceneUser {
  id: string;
  username: string;
  firstName: string;
  lastName: string;
}

/** The data of one journey, not shared with any other: a hospital with its feed, a care organization with a group and a team, and people. */
export interface Scene {
  hospital: Hospital;
  /** The hospital's feed. */
  feed: { id: string; name: string };
  /** Creates an administrator at the hospital. */
  engineer: (over?: { removed?: Permission[]; isOperator?: boolean }) => Promise<SceneUser>;
  group: { id: string; name: string };
  team: { id: string; name: string; organizationId: string; organizationName: string };
  /** The people listed by the group. */
  people: Person[];
  /** Returns a person who is not on a roster yet. */
  stranger: () => Person;
  /** Creates a user of the team. */
  user: (
    role: StandardRole,
    over?: Partial<NewUser> & { added?: Permission[]; removed?: Permission[] },
  ) => Promise<SceneUser>;
  /** Uploads the group's roster through the API and waits until it is applied. */
  list: (people: readonly Person[], furtherRows?: string) => Promise<RosterJob>;
  /** Adds a user to another team. */
  grant: (user: SceneUser, teamId: string, role: StandardRole) => Promise<void>;
  /** The password of every user of the scene. */
  password: string;
  make: ReturnType<typeof factories>;
  close: () => void;
}

let scenes = 0;
let people = 0;

/** Creates a scene. `worker` keeps the scenes of parallel processes apart. `request` must not be signed in yet. */
export async function makeScene(db: Database, request: APIRequestContext, worker: number): Promise<Scene> {
  const make = factories(db, () => new Date());
  const code = `W${worker}S${++scenes}`;
  const stranger = (): Person => personOf(worker * 1000 + ++people);
  const hospitals = await make.organization({ name: `Odile Health ${code}` });
  const hospitalGroup = await make.group({
    organizationId: hospitals.id,
    type: 'HOS',
    name: `Saint Odile Hospital ${code}`,
    isAutomated: true,
  });
  const feed = await make.feed({ group: hospitalGroup, application: `ODILE_${code}`, identifier: code });
  const engineer: Scene['engineer'] = async (over = {}) => {
    const office = await make.team({
      organizationId: hospitals.id,
      groupIds: [hospitalGroup.id],
      name: `Office ${code}`,
    });
    return make.user({ team: office, role: 'administrator', username: `engineer.${code}@odile.example`, ...over });
  };
  const organization = await make.organization({ name: `Lakeside Care ${code}` });
  const group = await make.group({ organizationId: organization.id, name: `Lakeside ACO ${code}` });
  const team = await make.team({
    organizationId: organization.id,
    groupIds: [group.id],
    name: `Lakeside Team ${code}`,
    abbreviation: code,
  });
  const user: Scene['user'] = (role, over = {}) =>
    make.user({ team, role, ...over, username: `${role.replace(' ', '.')}.${code}.${Date.now()}@lakeside.example` });
  const desk = await user('administrator');

  const list = async (listed: readonly Person[], furtherRows = ''): Promise<RosterJob> => {
    await signInTo(request, desk.username);
    const headers = { [TEAM_HEADER]: team.id };
    const file = { name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(rosterOf(listed) + furtherRows) };
    const attested = { relationship: 'CARE_COORDINATION', attested: 'true' };
    const answer = await request.post(`/api/rosters/${group.id}/uploads`, {
      headers,
      params: attested,
      multipart: { file },
    });
    expect(answer.status()).toBe(202);
    const latest = async () =>
      (await (await request.get(`/api/rosters/${group.id}/uploads/latest`, { headers })).json()) as RosterJob;
    const within = { intervals: [50], timeout: 30_000 + listed.length * 20 };
    await expect.poll(async () => (await latest()).status, within).toBe('DONE');
    return latest();
  };

  const listed = Array.from({ length: 6 }, stranger);
  await list(listed);
  const hospital = await connectHospital({
    name: hospitalGroup.name,
    groupId: hospitalGroup.id,
    application: `ODILE_${code}`,
    identifier: code,
  });
  return {
    hospital,
    feed,
    engineer,
    group,
    team: { ...team, organizationName: organization.name },
    people: listed,
    stranger,
    user,
    list,
    grant: ({ id: userId }, teamId, role) => grantRole(db, { userId, teamId, role }),
    password: TEST_PASSWORD,
    make,
    close: () => hospital.close(),
  };
}

/** Signs in without a page. `request` keeps the session cookie. */
export async function signInTo(request: APIRequestContext, username: string, password = TEST_PASSWORD): Promise<void> {
  const answer = await request.post(`${runningServer().url}/api/authenticate`, { data: { username, password } });
  expect(answer.status()).toBe(200);
}
