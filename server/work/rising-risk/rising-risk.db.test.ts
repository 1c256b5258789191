/** Who is listed as rising risk, from the messages to the list. Today is Friday, November 20, 2026. */
import { expect, test } from 'vitest';
import { AFTER_HEADER } from '#contract/constants.ts';
import type { PatientResults } from '#contract/patients.ts';
import type { Permission } from '#contract/permissions.ts';
import { DEFAULT_RISING_RISK_RULE, type RiskReason } from '#contract/rising-risk.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { type AdtParts, adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const { id: mercy, organizationId: hospitals } = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Mercy' });
const brendan = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Brendan', organizationId: hospitals });
// Each sends under its own name: a message of a sender without a feed would be quarantined.
await hosp.feed(hospitals, { MERCY: mercy });
await hosp.feed(hospitals, { BRENDAN: brendan.id });

/** A visit of a person, message by message. `type`: PV1-4; `source`: PV1-14; `diagnosis`: an ICD-10 code. */
interface Visit extends Partial<AdtParts> {
  triggers: readonly string[];
  type?: string;
  source?: string;
  diagnosis?: string;
}

let visits = 0;
async function send(person: ReturnType<typeof newPerson>, { triggers, type, source, diagnosis, ...parts }: Visit) {
  const { admitted = '202611010900', discharged = `${admitted.slice(0, 8)}1500` } = parts;
  const visit = parts.visit ?? `V-${++visits}`;
  for (const trigger of triggers) {
    const left = trigger === 'A03' ? { discharged, disposition: '01' } : {};
    const at = trigger === 'A03' ? discharged : admitted;
    const text = adt(trigger, { at, record: `R-${person.family}`, person, ...left, ...parts, admitted, visit });
    const segments = text.split('\r').map((segment) => {
      if (!segment.startsWith('PV1|')) return segment;
      const fields = segment.split('|');
      fields[4] = type ?? '';
      fields[14] = source ?? '';
      return fields.join('|');
    });
    if (diagnosis) segments.splice(-1, 0, `DG1|1||${diagnosis}^Invented^I10|||F`);
    await hosp.send(segments.join('\r'));
  }
}

const ED = { patientClass: 'E', triggers: ['A03'] } as const;
/** Eight messages for two pings. */
const TALKATIVE = { ...ED, triggers: ['A04', 'A08', 'A08', 'A03'] } as const;
const STAY = { triggers: ['A03'] } as const;
const on = (monthAndDay: string) => ({ admitted: `2026${monthAndDay}0900` });

/** A team of a program, with its people. */
async function office(removed: Permission[] = []) {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team, role: 'administrator', removed })).username);
  const person = async (...history: Visit[]) => {
    const one = newPerson({ birthDate: '1950-03-14' });
    await hosp.list(groupId, one);
    for (const visit of history) await send(one, visit);
    return one.family;
  };
  return { team, client, person };
}

const REASONS: RiskReason[] = ['RISING', 'MULTI_VISIT', 'READMISSION'];
/** Searches as a page does that was notified of a change. */
async function listOf(client: Client, reasons = REASONS): Promise<PatientResults> {
  const response = await client.fetch('/api/patients/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [AFTER_HEADER]: 'now' },
    body: JSON.stringify(filtering({ riskList: reasons })),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as PatientResults;
}
const familiesOn = async (client: Client, reasons?: RiskReason[]) =>
  (await listOf(client, reasons)).patients.map(({ lastName }) => lastName).sort();

test('two ED visits in 60 days are listed with the visits behind it, each counted once however many messages it had', async () => {
  const { client, person } = await office();
  await person({ ...TALKATIVE, ...on('1012') }, { ...TALKATIVE, ...on('1114') });
  const { patients } = await listOf(client);
  expect(patients).toHaveLength(1);
  const [{ risk, risingRiskInfo }] = patients as [(typeof patients)[number]];
  expect(risingRiskInfo).toEqual({
    hasReadmission: false,
    emergencyVisits: 2,
    inpatientStays: 0,
    multiVisitFlag: false,
    risingRiskFlag: true,
  });
  expect(risk?.reasons).toEqual([
    {
      reason: 'RISING',
      visits: ['2026-11-14T14:00:00.000Z', '2026-10-12T13:00:00.000Z'].map((arrivedAt) =>
        expect.objectContaining({ setting: 'EMERGENCY', facilityName: 'Mercy', arrivedAt }),
      ),
    },
  ]);
  expect(risk).toMatchObject({ recent: 2, usual: 0, since: '2026-11-14T15:00:00.000Z' });
  expect(risk?.trend).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
});

const NOT_RISING: Record<string, Visit[]> = Object.fromEntries<Visit[]>([
  [
    'one ED visit that became a stay',
    [
      { patientClass: 'E', triggers: ['A04'], visit: 'SAME', ...on('1110') },
      { ...STAY, visit: 'SAME', ...on('1110') },
    ],
  ],
  [
    'a visit that was canceled',
    [
      { ...ED, ...on('1012') },
      { patientClass: 'E', triggers: ['A04', 'A11'], ...on('1114') },
    ],
  ],
  [
    'planned stays',
    [
      { ...STAY, type: 'C', ...on('1012') },
      { ...STAY, type: 'C', ...on('1114') },
    ],
  ],
  [
    'chemotherapy',
    [
      { ...STAY, diagnosis: 'Z51.11', ...on('1012') },
      { ...STAY, diagnosis: 'Z51.11', ...on('1114') },
    ],
  ],
  [
    'false labor and a birth',
    [
      { ...ED, diagnosis: 'O47.1', ...on('1012') },
      { ...STAY, diagnosis: 'O80', ...on('1114') },
    ],
  ],
  [
    'a transfer to another hospital',
    [
      { ...STAY, ...on('1110'), discharged: '202611110900', disposition: '02' },
      { ...STAY, facility: 'BRENDAN', source: '4', ...on('1111'), discharged: '202611130900' },
    ],
  ],
  [
    'a stay that is only announced',
    [
      { ...ED, ...on('1012') },
      { triggers: ['A05'], ...on('1118') },
    ],
  ],
  [
    'as many visits as the person always has',
    ['0105', '0220', '0320', '0415', '0510', '0710', '1012', '1114'].map((day) => ({ ...ED, ...on(day) })),
  ],
  [
    'someone who died',
    [
      { ...ED, ...on('1012') },
      { ...ED, ...on('1114'), diedAt: '202611141200', deceased: true },
    ],
  ],
]);

test('planned stays, transfers, births, canceled and announced visits, usual use and deaths list no one', async () => {
  const { client, person } = await office();
  const cases = new Map<string, string>();
  for (const [name, history] of Object.entries(NOT_RISING)) cases.set(await person(...history), name);
  const listed = await person({ ...ED, ...on('1012') }, { ...ED, ...on('1114') });
  const found = await familiesOn(client, ['RISING']);
  expect(found.map((family) => cases.get(family) ?? 'two ED visits')).toEqual(['two ED visits']);
  expect(found).toEqual([listed]);
});

test('a readmission and a multi-visit patient are listed for what they are', async () => {
  const { client, person } = await office();
  const again = await person(
    { ...STAY, ...on('1020'), discharged: '202610240900' },
    { ...STAY, ...on('1102'), discharged: '202611050900' },
  );
  const often = await person(...['0610', '0715', '0801', '0901', '0915', '0925'].map((day) => ({ ...ED, ...on(day) })));
  expect(await familiesOn(client, ['READMISSION'])).toEqual([again]);
  expect(await familiesOn(client, ['MULTI_VISIT'])).toEqual([often]);
  expect(await familiesOn(client)).toEqual([again, often].sort());
});

test("the rule is that of the team's organization, and a change is seen at once by its own teams only", async () => {
  const mine = await office();
  const theirs = await office();
  const family = await mine.person({ ...ED, ...on('0801') }, { ...ED, ...on('1114') });
  await theirs.person({ ...ED, ...on('0801') }, { ...ED, ...on('1114') });
  expect([await familiesOn(mine.client), await familiesOn(theirs.client)]).toEqual([[], []]);
  const risingRisk = { ...DEFAULT_RISING_RISK_RULE, visits: 1 };
  await mine.client.call('PUT /api/admin/record-settings', { body: { risingRisk } });
  expect([await familiesOn(mine.client), await familiesOn(theirs.client)]).toEqual([[family], []]);
  expect(await mine.client.call('GET /api/rising-risk/rule', {})).toEqual({ rule: risingRisk, isDefault: false });
  expect((await theirs.client.call('GET /api/rising-risk/rule', {})).isDefault).toBe(true);
  await mine.client.call('PUT /api/admin/record-settings', { body: { risingRisk: null } });
  expect(await familiesOn(mine.client)).toEqual([]);
});

test('a preview counts whom another rule would have listed, now and over the past year', async () => {
  const { client, person } = await office();
  await person({ ...ED, ...on('1012') }, { ...ED, ...on('1114') });
  await person({ ...ED, ...on('1114') });
  await person({ ...ED, ...on('0301') });
  await person();
  const wanted = { ...DEFAULT_RISING_RISK_RULE, visits: 1 };
  const preview = await client.call('POST /api/rising-risk/preview', { body: wanted });
  expect(preview).toMatchObject({
    people: 4,
    checked: 4,
    now: { both: 1, added: 1, dropped: 0 },
    year: { current: 1, wanted: 3 },
  });
  expect(preview.weeks).toHaveLength(53);
  const gaps = preview.weeks.slice(1).map(({ at }, n) => Date.parse(at) - Date.parse(preview.weeks[n]?.at ?? ''));
  expect(new Set(gaps)).toEqual(new Set([7 * 86_400_000]));
  expect(preview.weeks.at(-1)).toMatchObject({ current: 1, wanted: 2 });
  const stricter = { ...DEFAULT_RISING_RISK_RULE, visits: 3 };
  expect((await client.call('POST /api/rising-risk/preview', { body: stricter })).now).toEqual({
    both: 0,
    added: 0,
    dropped: 1,
  });
});

test('without canViewRiskingRisk there is no list, no rule and no preview; without canViewRisingRiskFlag a row has no flags', async () => {
  const { team, client, person } = await office();
  await person({ ...ED, ...on('1012') }, { ...ED, ...on('1114') });
  const without = async (flag: Permission) =>
    signIn(app, (await make.user({ team, role: 'administrator', removed: [flag] })).username);
  const blind = await without('canViewRiskingRisk');
  const search = { body: filtering({ riskList: REASONS }) };
  expect((await errorOf(blind, 'POST /api/patients/search', search)).errorKey).toBe('NOT_PERMITTED');
  expect((await errorOf(blind, 'GET /api/rising-risk/rule', {})).errorKey).toBe('NOT_PERMITTED');
  const preview = { body: DEFAULT_RISING_RISK_RULE };
  expect((await errorOf(blind, 'POST /api/rising-risk/preview', preview)).errorKey).toBe('NOT_PERMITTED');
  const flagless = (await listOf(await without('canViewRisingRiskFlag'))).patients;
  expect(flagless.map(({ risingRiskInfo, risk }) => [risingRiskInfo, risk?.recent])).toEqual([[null, 2]]);
  expect((await listOf(client)).patients[0]?.risingRiskInfo?.risingRiskFlag).toBe(true);
});

test('a rule outside its limits is refused', async () => {
  const { client } = await office();
  for (const wrong of [{ visits: 0 }, { days: 365 }, { factor: 1.3 }, { multiMonths: 7 }, { visits: '2; drop' }]) {
    const body = { risingRisk: { ...DEFAULT_RISING_RISK_RULE, ...wrong } } as never;
    const { errorKey } = await errorOf(client, 'PUT /api/admin/record-settings', { body });
    expect([wrong, errorKey]).toEqual([wrong, 'BAD_REQUEST']);
  }
});
