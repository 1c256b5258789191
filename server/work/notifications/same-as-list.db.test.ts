/** What a user is notified of is what the list with the same filter shows. */
import { expect, test } from 'vitest';
import type { SavedFilterFields } from '#contract/saved-filters.ts';
import type { SearchContext } from '#contract/search.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CallError, type Client } from '#server/testing/app.ts';
import { setNotification, startNotificationApp } from '#server/testing/notifications.ts';
import { type Filters, filtering } from '#server/testing/search.ts';

const { database, facility, listed, office, saveFilter, work } = await startNotificationApp();

/** Filters of each kind: values, excluded values, ranges, texts with a typo, a birth date, current stays only. */
const FILTERS: readonly { filters: Filters; over?: Record<string, unknown> }[] = [
  { filters: {} },
  { filters: { setting: 'EMERGENCY' } },
  { filters: { setting: '!EMERGENCY' } },
  { filters: { setting: ['EMERGENCY', 'INPATIENT'], gender: 'Male' } },
  { filters: { currentStatus: 'DISCHARGE' } },
  { filters: { currentStatus: ['ADMIT', 'PRESENTED'] } },
  { filters: { gender: '!Male' } },
  { filters: { age: '80:' } },
  { filters: { zipCode: '49981' } },
  { filters: {}, over: { query: 'kestrel' } },
  { filters: {}, over: { query: 'kestrle' } },
  { filters: {}, over: { query: 'wren' } },
  { filters: {}, over: { dateOfBirth: '1941-03-14' } },
  { filters: {}, over: { openPatientsOnly: true } },
  { filters: { managementStatus: 'RESOLVED' } },
  { filters: { managementStatus: ['NEW', 'RESOLVED'] } },
];
const CONTEXTS: readonly SearchContext[] = ['PINGS', 'ALL', 'EVENTS'];

/** What the list shows: the visits, persons or events of its rows. */
async function rowsOf(client: Client, body: SavedFilterFields, context: SearchContext): Promise<string[]> {
  const list = {
    ALL: 'POST /api/patients/search',
    PINGS: 'POST /api/pings',
    EVENTS: 'POST /api/events/search',
  } as const;
  const { patients } = await client
    .call(list[context], { body: { ...body, pageSize: 100 } })
    .catch((error: unknown) => {
      // A list refuses filters that it does not have, and so shows nothing.
      if (error instanceof CallError && error.status === 400) return { patients: [] };
      throw error;
    });
  return patients.map(({ id, currentPing }) =>
    context === 'EVENTS' ? (currentPing?.eventIdentifier ?? '') : context === 'ALL' ? (id.split('_')[0] as string) : id,
  );
}

async function notifiedOf(filterId: string, context: SearchContext): Promise<string[]> {
  const { rows } = await database.owner.query<{ listing: string; encounter: string; event: string }>(sql`
    select distinct p.roster_patient_id::text as listing, p.encounter_id::text as encounter, e.id::text as event
    from notification_matches m join pings p on p.id = m.ping_id join events e on e.id = p.event_id where m.filter_id = ${filterId}`);
  return rows.map(({ listing, encounter, event }) =>
    context === 'EVENTS' ? event : context === 'ALL' ? listing : `${listing}_${encounter}`,
  );
}

const sorted = (values: readonly string[]): string[] => [...new Set(values)].toSorted((a, b) => a.localeCompare(b));

test('for filters of all kinds, in every kind of list, for all new pings', async () => {
  const user = await office({ groups: 2 });
  const [mercy, grace] = [await facility(), await facility()];
  const filters = [];
  for (const context of CONTEXTS) {
    for (const { filters: map, over } of FILTERS) {
      const body = { ...filtering(map, over), searchContext: context };
      const filterId = await saveFilter(user.client, body).catch(() => null);
      if (filterId === null) continue;
      await setNotification(user.client, filterId);
      filters.push({ filterId, context, body: { name: 'x', ...body } });
    }
  }
  expect(filters.length).toBeGreaterThan(40);
  const people = [
    { family: 'Kestrel', given: 'Adelheid', birthDate: '1941-03-14', sex: 'F' as const, zip: '49981' },
    { family: 'Wrenfield', given: 'Bartholomew', birthDate: '1938-07-02', sex: 'M' as const, zip: '49982' },
    { family: 'Castellane', given: 'Philippa', birthDate: '1990-11-11', sex: 'F' as const, zip: '49981' },
    { family: 'Okonkwo', given: 'Maximilian', birthDate: '1955-01-30', sex: 'M' as const, zip: '49983' },
  ];
  for (const [n, of] of people.entries()) {
    const person = await listed(n % 2 === 0 ? user.groupIds : [user.groupId], of);
    const patientClass = n === 1 ? 'E' : 'I';
    await mercy.send(n === 1 ? 'A04' : 'A01', person, { patientClass, minutesAgo: 40 });
    if (n === 2) await mercy.send('A03', person, { patientClass, minutesAgo: 5 });
    if (n === 3) await grace.send('A04', person, { patientClass: 'E', minutesAgo: 10 });
  }
  await work();
  const found = new Set<number>();
  for (const { filterId, context, body } of filters) {
    const list = sorted(await rowsOf(user.client, body, context));
    expect([body, sorted(await notifiedOf(filterId, context))]).toEqual([body, list]);
    found.add(list.length);
  }
  // The test means something only if filters find nothing, some and all.
  expect(found.size).toBeGreaterThan(3);
}, 240_000);
