/** What a provider with thousands of people and hundreds of groups can ask of us. */
import { expect, test } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { scimClient } from '#server/testing/scim-client.ts';
import { parseFilter } from './filter.ts';
import { findGroups, MOST_MEMBERS_PAGED } from './group-rows.ts';
import { MOST_GROUPS } from './groups.ts';

const app = await startApp();
const { make, database } = app;
const db = database.owner;

/** A provider whose groups hold everyone. */
async function large({ people, groups }: { people: number; groups: number }) {
  const { id: organizationId } = await make.organization();
  const group = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [group.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const domain = `large-${organizationId}.test`;
  const { id: connectionId } = await make.connection({ organizationId, domains: [domain] });
  const params = { id: connectionId };
  const { id: tokenId, token } = await admin.call('POST /api/admin/sso-connections/:id/scim-tokens', { params });
  await db.query(
    `insert into users (organization_id, username, first_name, last_name, application_experience, sso_connection_id, created_at)
     select $1, 'person.' || i || '@' || $2, 'Person', 'Number ' || i, 'JANUS_AUTH0_SSO', $3, $4 from generate_series(1, $5::int) i`,
    [organizationId, domain, connectionId, app.clock.now(), people],
  );
  await db.query(
    `insert into provider_groups (connection_id, display_name, created_at)
     select $1, 'Group ' || i, $2 from generate_series(1, $3::int) i`,
    [connectionId, app.clock.now(), groups],
  );
  await db.query(
    `insert into provider_group_members
     select p.id, u.id from provider_groups p join users u on u.sso_connection_id = p.connection_id where p.connection_id = $1`,
    [connectionId],
  );
  return { provider: { tokenId, connectionId, organizationId }, scim: scimClient(app, token), admin, params };
}

interface Page {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: { id: string; members?: object[] }[];
}

test('a page of groups has no more members than one answer can carry, and the pages together have all groups', async () => {
  const people = Math.ceil(MOST_MEMBERS_PAGED / 3);
  const { scim } = await large({ people, groups: 5 });
  const page = async (query: string) => (await scim.call('GET', `/Groups?${query}`)).body as Page;
  const seen = new Set<string>();
  const sizes: number[] = [];
  for (let startIndex = 1; startIndex <= 5; startIndex = seen.size + 1) {
    const { Resources, totalResults, itemsPerPage } = await page(`startIndex=${startIndex}`);
    expect({ totalResults, itemsPerPage }).toEqual({ totalResults: 5, itemsPerPage: Resources.length });
    for (const each of Resources) expect(each.members).toHaveLength(people);
    for (const { id } of Resources) seen.add(id);
    sizes.push(Resources.length);
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect((await page('excludedAttributes=members')).itemsPerPage).toBe(5);
  expect((await page('count=0')).Resources).toEqual([]);
});

test('groups are found by their members without reading all of them', async () => {
  const { provider } = await large({ people: 300, groups: 20 });
  const filter = parseFilter(Array.from({ length: 50 }, (_, at) => `members eq "${at + 1}"`).join(' or '));
  let read = 0;
  const counting = {
    query: async (statement: { text: string; values: readonly unknown[] }) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${statement.text}`,
        statement.values,
      );
      read += rows.reduce((sum, row) => sum + rowsOf(row['QUERY PLAN'][0].Plan), 0);
      return db.query(statement.text, statement.values);
    },
  } as unknown as typeof db;
  await findGroups(counting, provider, { filter, offset: 0, limit: 200, withMembers: false });
  expect(read).toBeLessThan(20 * 300);
});

test('a provider can send as many groups as an administrator can look through, and no more', async () => {
  const { scim } = await large({ people: 1, groups: MOST_GROUPS });
  const refused = {
    status: 400,
    body: { scimType: 'invalidValue', detail: expect.stringContaining('1000') as string },
  };
  expect(await scim.call('POST', '/Groups', { displayName: 'One more' })).toMatchObject(refused);
  const [first] = ((await scim.call('GET', '/Groups?count=1')).body as Page).Resources;
  await scim.call('DELETE', `/Groups/${first?.id}`);
  expect(await scim.call('POST', '/Groups', { displayName: 'One more' })).toMatchObject({ status: 201 });
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** How many rows of memberships a plan has read. */
const rowsOf = (plan: Plan): number =>
  (plan['Relation Name'] === 'provider_group_members' ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
