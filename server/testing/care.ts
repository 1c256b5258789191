/** Care teams over HTTP for tests: one person whom two organizations list. */
import type { CareTeamEntry } from '#contract/care.ts';
import type { StandardRole } from '#contract/permissions.ts';
import { type Client, signIn, startApp } from './app.ts';

export async function startCareApp() {
  const app = await startApp();
  const { make } = app;

  /** A group that lists the person, its team, and a member. */
  async function listedBy(personId: string, group: Parameters<typeof make.group>[0] = {}, columns: object = {}) {
    const { id: organizationId, name: organizationName } = await make.organization();
    const { id: groupId } = await make.group({ organizationId, ...group });
    const team = await make.team({ organizationId, groupIds: [groupId] });
    const member = async (role: StandardRole = 'care coordinator', of: object = {}) =>
      signIn(app, (await make.user({ team, role, ...of })).username);
    const listing = await make.rosterPatient({ groupId, personId, ...columns });
    return { groupId, organizationName, team, member, listing, id: `${listing.id}_0`, client: await member() };
  }

  /** One person, listed by a program and by another organization's. */
  async function scene(theirs: Parameters<typeof listedBy>[1] = {}, columns: object = {}) {
    const { id: personId } = await make.person();
    return { personId, ours: await listedBy(personId), theirs: await listedBy(personId, theirs, columns) };
  }

  return { app, make, listedBy, scene };
}

export const ADA: CareTeamEntry = {
  program: 'ACO REACH',
  contactName: 'Ada Kestrel',
  contactJobTitle: 'Nurse care manager',
  contactPhone: '585-555-0143',
  contactEmail: 'ada@lakeshore.example',
  contactFax: '585-555-0144',
  content: 'Weigh daily.\nCall if up 3 lb in a day.',
  isCalledFirst: true,
};

export const careTeamOf = (client: Client, id: string) =>
  client.call('GET /api/patients/:id/care-team', { params: { id } });
export const addTo = (client: Client, id: string, over: Partial<CareTeamEntry> = {}) =>
  client.call('POST /api/patients/:id/care-team', { params: { id }, body: { ...ADA, ...over } });
export const namesIn = async (client: Client, id: string) =>
  (await careTeamOf(client, id)).map(({ contactName }) => contactName);
