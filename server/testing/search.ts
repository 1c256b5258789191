/** Lists over HTTP for tests. All people are invented. */
import type { Facet } from '#contract/facets.ts';
import type { StandardRole } from '#contract/permissions.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { type Client, type Overrides, signIn, startApp } from './app.ts';
import { momentOf } from './factories.ts';

export const DAY = 86_400_000;

export interface Person {
  first?: string;
  last?: string;
  born?: string;
  columns?: Record<string, unknown>;
  /** Days ago. */
  admitted?: number;
  discharged?: number;
  /** Days after the admission. */
  expected?: number;
  facility?: string;
  diagnosis?: { code: string; description: string };
  status?: 'NEW' | 'RESOLVED';
}

/** Starts an app with helpers to make teams and the people on their lists. */
export async function startSearchApp(overrides?: Overrides) {
  const app = await startApp(overrides);
  const { make, clock } = app;
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);

  async function teamOf(groups = 1, role: StandardRole = 'administrator') {
    const { id: organizationId } = await make.organization();
    const groupIds: string[] = [];
    for (let n = 0; n < groups; n += 1) groupIds.push((await make.group({ organizationId })).id);
    const team = await make.team({ organizationId, groupIds });
    const { username } = await make.user({ team, role });
    return { groupIds: groupIds as [string, ...string[]], team, username, client: await signIn(app, username) };
  }

  /** Lists a person in a group; with `admitted` also with a visit, an event and a ping. */
  async function addPerson(groupId: string, of: Person = {}) {
    const { first = 'Ada', last = 'Kestrel', born = '1941-03-14', admitted, discharged, facility } = of;
    const { id: personId } = await make.person();
    const names = {
      first_name: first,
      last_name: last,
      sort_first: first.toLowerCase(),
      sort_last: last.toLowerCase(),
    };
    const listing = await make.rosterPatient({ groupId, personId, ...names, date_of_birth: born, ...of.columns });
    if (admitted === undefined) return { personId, listing };
    const visit = {
      admittedAt: momentOf(ago(admitted)),
      estimatedDays: of.expected ?? null,
      diagnoses: of.diagnosis ? [{ ...of.diagnosis, type: 'F' as const, priority: 1, codeSystem: 'I10' }] : [],
      ...(discharged === undefined ? {} : { status: 'FINISHED' as const, dischargedAt: momentOf(ago(discharged)) }),
    };
    const encounter = await make.encounter({ ...(facility ? { groupId: facility } : {}), personId, visit });
    const event = await make.event({
      encounterId: encounter.id,
      code: discharged === undefined ? 'ADMIT' : 'DISCHARGE',
      at: ago(discharged ?? admitted),
    });
    const ping = await make.ping({
      groupId,
      encounter,
      eventId: event.id,
      rosterPatientId: listing.id,
      event_at: event.at,
      status: of.status ?? 'NEW',
    });
    return { personId, listing, encounter, event, ping };
  }

  return { app, make, clock, ago, teamOf, addPerson };
}

export type Filters = Partial<Record<Facet, string | string[]>>;
/** Returns parameters with these filters. '!' before a value negates it; 'field=' names a field other than the facet. */
export function filtering(filters: Filters, over: Record<string, unknown> = {}): SearchParametersInput {
  const filterOf = (facet: string, text: string) => {
    const [, not, field = facet, value = ''] = /^(!?)(?:(\w+)=)?(.*)$/.exec(text) ?? [];
    return { field, value, negated: not === '!' };
  };
  const preferenceMap = Object.fromEntries(
    Object.entries(filters).map(([facet, values]) => [facet, [values].flat().map((value) => filterOf(facet, value))]),
  );
  return { userDefinedFacetPreferences: { preferenceMap, ...over } };
}
export const patients = (client: Client, body: SearchParametersInput = {}) =>
  client.call('POST /api/patients/search', { body });
export const names = async (client: Client, body: SearchParametersInput = {}) =>
  (await patients(client, body)).patients.map(({ firstName }) => firstName);
export const sorted = async (list: Promise<string[]>) => (await list).toSorted((a, b) => a.localeCompare(b));
