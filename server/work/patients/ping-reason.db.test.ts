/** Why a ping matters, from the messages to what a team reads: readmissions, follow-ups, deaths, and stays in nursing facilities. */
import { expect, test, vi } from 'vitest';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { type AdtParts, adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);

/** The search follows changes; the first search also starts its thread. */
const soon = (look: () => Promise<void>) => vi.waitFor(look, 20_000);

/** Returns a local time `days` before today, as YYYYMMDDHHMM. */
function before(days: number, time = '0900'): string {
  const day = new Date(clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
  return day.replaceAll('-', '') + time;
}

/** A team with a patient on its list, and facilities that send messages about the patient. */
async function scene() {
  const team = await make.team();
  const client = await signIn(app, (await make.user({ team })).username);
  const person = newPerson();
  const listing = await hosp.list(team.groupIds[0] ?? '', person);
  let visits = 0;

  async function facility(type: GroupType = 'HOS', facilityType: FacilityType = 'HOS') {
    const group = await make.group({ type, facilityType });
    const code = `F-${group.id}`;
    await hosp.feed(group.organizationId, { [code]: group.id });
    const send = (trigger: string, at: string, more: Partial<AdtParts> = {}, fields: Record<string, string> = {}) =>
      hosp.send(withFields(adt(trigger, { at, record: `MR-${group.id}`, facility: code, person, ...more }), fields));
    /** Sends a stay that began and, with `to`, ended that many days ago. Returns its visit number. */
    const stay = async (
      from: number,
      to: number | null,
      more: Partial<AdtParts> = {},
      fields: Record<string, string> = {},
    ) => {
      visits += 1;
      const of = { visit: `V-${visits}`, admitted: before(from), ...more };
      await send('A01', before(from), of, fields);
      if (to !== null) await send('A03', before(to), { disposition: '01', discharged: before(to), ...of }, fields);
      return of.visit;
    };
    return { send, stay };
  }

  /** Returns the reason of each ping in the inbox, by code and visit number: 'ADMIT V-2: 2nd admission in 30 days'. */
  async function reasons(): Promise<string[]> {
    const { rows } = await database.pipeline.query<{ id: string; number: string | null }>(
      `select e.id, e.visit_number as number from encounters e join roster_patients r on r.person_id = e.person_id where r.id = $1 order by e.admitted_at, e.id`,
      [listing],
    );
    const shown: string[] = [];
    for (const { id, number } of rows) {
      const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', {
        params: { id: `${listing}_${id}` },
      });
      for (const { status, reason } of stay?.pings.toReversed() ?? [])
        shown.push(`${status} ${number}: ${reason?.label ?? '-'}`);
    }
    return shown;
  }
  const patient = async (visit: string) => {
    const { rows } = await database.pipeline.query<{ id: string }>(
      'select e.id from encounters e join roster_patients r on r.person_id = e.person_id where r.id = $1 and e.visit_number = $2',
      [listing, visit],
    );
    return client.call('GET /api/patients/:id', { params: { id: `${listing}_${rows[0]?.id}` } });
  };
  const inbox = () => client.call('POST /api/pings', { body: filtering({ managementStatus: 'NEW' }) });
  return { facility, reasons, patient, inbox };
}

/** Fills fields of a message: { 'PV1-14': '4', DG1: 'DG1|1||O80^Delivery^I10||F' }. */
function withFields(message: string, fields: Record<string, string>): string {
  const segments = message.split('\r');
  for (const [name, value] of Object.entries(fields)) {
    const [segment = '', place] = name.split('-');
    if (place === undefined) segments.splice(-1, 0, value);
    else {
      const index = segments.findIndex((each) => each.startsWith(`${segment}|`));
      const parts = (segments[index] ?? '').split('|');
      while (parts.length <= Number(place)) parts.push('');
      parts[Number(place)] = value;
      segments[index] = parts.join('|');
    }
  }
  return segments.join('\r');
}

const admissions = (shown: string[]) =>
  shown.filter((each) => each.startsWith('ADMIT') || each.startsWith('PRESENTED'));

test('an unplanned second stay within 30 days is the 2nd admission, in the inbox too', async () => {
  const { facility, reasons, inbox } = await scene();
  const mercy = await facility();
  const other = await facility();
  await mercy.stay(20, 18);
  await other.stay(5, null);
  expect(admissions(await reasons())).toEqual(['ADMIT V-1: -', 'ADMIT V-2: 2nd admission in 30 days']);
  await soon(async () => {
    const { patients, facets } = await inbox();
    expect(patients.map(({ currentPing }) => currentPing?.reason?.code ?? null)).toContain('READMISSION');
    expect(facets.risingRisk?.options.map(({ value }) => value)).toContain('READMISSION');
    expect(facets.recentInpatientStay?.options.map(({ value }) => value)).toEqual(['YES']);
  });
});

const DELIVERY = { DG1: 'DG1|1||O80^Encounter for full-term delivery^I10||A' };
const FALSE_LABOR = { DG1: 'DG1|1||O47.1^False labor^I10||A' };
const CHEMOTHERAPY = { DG1: 'DG1|1||Z51.11^Encounter for antineoplastic chemotherapy^I10||A' };

test.each<
  [string, Partial<AdtParts>, Record<string, string>, Partial<AdtParts>?, Record<string, string>?, FacilityType?]
>([
  ['an elective stay', {}, { 'PV1-4': 'C' }],
  ['an elective stay by UB-04', {}, { 'PV1-4': '3' }],
  ['chemotherapy', {}, CHEMOTHERAPY],
  ['a delivery after false labor', {}, DELIVERY, {}, FALSE_LABOR],
  ['labor by the admission type', {}, { 'PV1-4': 'L' }],
  ['a transfer by the admission source', {}, { 'PV1-14': '4' }],
  ['an elective return that was announced', {}, { 'PV1-4': '3' }, { disposition: '81' }],
  ['observation', { patientClass: 'OBS' }, {}],
  ['a stay after observation', {}, {}, { patientClass: 'OBS' }],
  ['a nursing facility', {}, {}, {}, {}, 'SNF'],
  ['long-term acute care', {}, {}, {}, {}, 'LTAC'],
  ['rehabilitation', {}, {}, {}, {}, 'REHAB_HOS'],
])('no 2nd admission: %s', async (_, again, fields, first = {}, firstFields = {}, type = 'HOS') => {
  const { facility, reasons, inbox } = await scene();
  const mercy = await facility();
  const other = await facility(type === 'SNF' ? 'SNF' : 'HOS', type);
  await mercy.stay(20, 18, first, firstFields);
  await other.stay(5, null, again, fields);
  expect((await reasons()).filter((each) => each.includes('admission in 30 days'))).toEqual([]);
  await soon(async () => {
    const { total, facets } = await inbox();
    expect(total).toBe(2);
    expect((facets.risingRisk?.options ?? []).map(({ value }) => value)).not.toContain('READMISSION');
  });
});

const reason = (words: string) => ({ PV2: `PV2|||^${words}` });

test.each<[string, Record<string, string>, string?]>([
  ['a wound after a birth', reason('CESAREAN WOUND INFECTION')],
  ['bleeding after a birth', reason('HEMORRHAGE, VAGINAL DELIVERY 10 DAYS AGO')],
  ['a complication of treatment', reason('IMMUNOTHERAPY COLITIS')],
  ['an emergency, whatever the words', { ...reason('CHEMOTHERAPY'), 'PV1-4': '1' }],
  ['days after a transfer out', {}, '02'],
  ['days after psychiatry', {}, '65'],
  ['after an announced return', {}, '81'],
])('2nd admission: %s', async (_, fields, disposition = '01') => {
  const { facility, reasons } = await scene();
  const mercy = await facility();
  await mercy.stay(20, 18, { disposition });
  await mercy.stay(5, null, {}, fields);
  expect(admissions(await reasons())).toEqual(['ADMIT V-1: -', 'ADMIT V-2: 2nd admission in 30 days']);
});

test('a hand-off from an ED is no transfer, and a swing bed is no admission', async () => {
  const { facility, reasons, patient } = await scene();
  const mercy = await facility();
  const other = await facility();
  await mercy.stay(22, 20, { disposition: '61' });
  await mercy.send('A01', before(20, '0930'), { visit: 'V-2', admitted: before(20, '0930') });
  await mercy.send('A03', before(10), {
    visit: 'V-2',
    admitted: before(20, '0930'),
    discharged: before(10),
    disposition: '01',
  });
  const sender = { visit: 'V-3', patientClass: 'E', admitted: before(3, '0900') };
  await other.send('A04', before(3, '0900'), sender);
  await other.send('A03', before(3, '1100'), { ...sender, discharged: before(3, '1100'), disposition: '02' });
  await mercy.send('A01', before(3, '1300'), { visit: 'V-4', admitted: before(3, '1300') }, { 'PV1-14': '4' });
  expect((await reasons()).filter((each) => each.includes('admission in 30 days'))).toEqual([
    'ADMIT V-4: 2nd admission in 30 days',
  ]);
  expect((await patient('V-2')).currentPingEncounter).toMatchObject({ inpatientNights: 2 });
});

test('an ED visit that another ED sent the patient to is the same ED visit', async () => {
  const { facility, reasons, patient } = await scene();
  const mercy = await facility();
  const other = await facility();
  type Facility = typeof mercy;
  const emergency = async (at: Facility, visit: string, [from, to]: [string, string?], disposition = '01') => {
    const of = { visit, patientClass: 'E', admitted: from };
    await at.send('A04', from, of);
    if (to) await at.send('A03', to, { ...of, discharged: to, disposition });
  };
  await emergency(mercy, 'V-1', [before(30, '0900'), before(30, '1000')]);
  await emergency(mercy, 'V-2', [before(9, '0900'), before(9, '1000')], '02');
  await emergency(other, 'V-3', [before(9, '1100'), before(9, '1200')]);
  await emergency(other, 'V-4', [before(2, '0900')]);
  expect(admissions(await reasons())).toEqual([
    'PRESENTED V-1: -',
    'PRESENTED V-2: -',
    'PRESENTED V-3: -',
    'PRESENTED V-4: 3rd ED visit in 60 days',
  ]);
  expect(await patient('V-4')).toMatchObject({
    emergencyRoomVisitCount: 3,
    emergencyRoomCount: 2,
    encounterCounts: { emergency: 3 },
  });
});

test('a resident who goes back to the nursing facility needs no follow-up after "home"', async () => {
  const { facility, reasons } = await scene();
  const oak = await facility('SNF', 'SNF');
  const mercy = await facility();
  await oak.stay(60, null);
  await oak.send('A21', before(4), { visit: 'V-1', admitted: before(60) });
  await mercy.stay(4, 1);
  await oak.send('A22', before(1), { visit: 'V-1', admitted: before(60) });
  expect((await reasons()).find((each) => each.startsWith('DISCHARGE'))).toBe('DISCHARGE V-2: -');
});

test('a patient who was dead on arrival does not contradict the death', async () => {
  const { facility, reasons } = await scene();
  const mercy = await facility();
  const of = { visit: 'V-9', patientClass: 'E', admitted: before(2, '1000'), deceased: true };
  const died = { 'PID-29': before(2, '0940') };
  await mercy.send('A04', before(2, '1000'), of, died);
  await mercy.send('A03', before(2, '1030'), { ...of, disposition: '20', discharged: before(2, '1030') }, died);
  expect((await reasons()).toSorted()).toEqual(['DECEASED V-9: Patient died', 'PRESENTED V-9: Patient died']);
});

test('a live discharge, or a later sign of life, contradicts a death that only an update reported', async () => {
  const { facility, reasons } = await scene();
  const mercy = await facility();
  const visit = await mercy.stay(8, null);
  const of = { visit, admitted: before(8) };
  await mercy.send('A08', before(3), { ...of, deceased: true }, { 'PID-29': before(3) });
  await mercy.send('A02', before(2), { ...of, unit: 'REHAB' });
  await mercy.send('A03', before(1), { ...of, discharged: before(1), disposition: '01' });
  const contradicts = 'Contradicts the death reported for 11/17/2026. Check with the facility';
  expect(await reasons()).toEqual([
    `ADMIT ${visit}: Reported as died, contradicted since`,
    `DECEASED ${visit}: Reported as died, contradicted since`,
    `TRANSFER ${visit}: ${contradicts}`,
    `DISCHARGE ${visit}: ${contradicts}`,
  ]);
});

test('a row has one date of death, that of the event: PID-29 with its time, before the discharge', async () => {
  const { facility, patient } = await scene();
  const mercy = await facility();
  const died = async (visit: string, controlId: string, on: string) => {
    const of = { visit, controlId, admitted: before(6), disposition: '20', discharged: before(2), deceased: true };
    await mercy.send('A03', before(2), of, { 'PID-29': on });
    const { deceasedDate, currentPingEncounter: stay } = await patient(visit);
    const [ping] = stay?.pings ?? [];
    return [deceasedDate, ping?.status, ping?.eventDate.slice(0, 16), stay?.dischargedDate?.slice(0, 16)];
  };
  const visit = await mercy.stay(6, null);
  const discharged = '2026-11-18T14:00';
  expect(await died(visit, '1', before(6, ''))).toEqual(['2026-11-18', 'DECEASED', discharged, discharged]);
  expect(await died(visit, '2', before(3, '2350'))).toEqual(['2026-11-17', 'DECEASED', '2026-11-18T04:50', discharged]);
});

test('an admission elsewhere on the next day, and an ED visit, say that the patient was in a hospital', async () => {
  const { facility, reasons } = await scene();
  const mercy = await facility();
  const other = await facility();
  await mercy.stay(20, 12);
  await other.stay(11, 6);
  await mercy.send('A04', before(1), { visit: 'V-9', patientClass: 'E', admitted: before(1) });
  expect(admissions(await reasons())).toEqual([
    'ADMIT V-1: -',
    'ADMIT V-2: Discharged from a hospital in the last 30 days',
    'PRESENTED V-9: Discharged from a hospital in the last 30 days',
  ]);
});

test('a death ends the follow-up, and every row of the patient says so', async () => {
  const { facility, reasons, inbox } = await scene();
  const mercy = await facility();
  await mercy.stay(8, 6);
  expect((await reasons()).at(-1)).toMatch(/^DISCHARGE V-1: TCM contact overdue/);
  await mercy.send('A31', before(1), { deceased: true });
  expect(await reasons()).toEqual([
    'ADMIT V-1: Patient died',
    'DISCHARGE V-1: Patient died',
    'DECEASED V-1: Patient died',
  ]);
  await soon(async () => {
    const { patients } = await inbox();
    expect(patients.map(({ deceased, currentPing }) => [deceased, currentPing?.status])).toEqual([[true, 'DECEASED']]);
  });
});

test('a death that its sender takes back by PID-30 is in doubt, unless another facility reports it too', async () => {
  const { facility, reasons } = await scene();
  const [mercy, other] = [await facility(), await facility()];
  await mercy.send('A31', before(3), { deceased: true });
  await mercy.send('A31', before(2), {}, { 'PID-30': 'N' });
  expect(await reasons()).toEqual(['DECEASED null: Reported as died, then as living. Check with the facility']);
  await other.send('A31', before(2), { deceased: true });
  expect((await reasons())[0]).toBe('DECEASED null: Patient died');
});

test('a canceled discharge takes the death with it that it reported', async () => {
  const { facility, reasons } = await scene();
  const mercy = await facility();
  const visit = await mercy.stay(8, null);
  const died = { disposition: '20', deceased: true, discharged: before(6) };
  await mercy.send('A03', before(6), { visit, admitted: before(8), ...died });
  expect((await reasons()).at(-1)).toBe('DECEASED V-1: Patient died');
  await mercy.send('A13', before(5), { visit, admitted: before(8) });
  await mercy.send('A03', before(4), { visit, admitted: before(8), discharged: before(4), disposition: '01' });
  expect(await reasons()).toEqual([
    'DECEASED V-1: Death retracted',
    'ADMIT V-1: -',
    expect.stringContaining('DISCHARGE V-1: TCM contact overdue'),
  ]);
});

test('a death of a patient whom the facility had no visit of is sent as well', async () => {
  const { facility, reasons } = await scene();
  await (await facility()).send('A31', before(1), { deceased: true });
  expect(await reasons()).toEqual(['DECEASED null: Patient died']);
});

test('an arrival after the death contradicts it, at any facility; the discharge of the stay does not', async () => {
  const { facility, reasons, inbox } = await scene();
  const mercy = await facility();
  const other = await facility();
  const oak = await facility('SNF', 'SNF');
  await oak.stay(40, null);
  await mercy.stay(8, 6, { disposition: '20' });
  await oak.send('A03', before(5), { visit: 'V-1', admitted: before(40), discharged: before(5) });
  await other.send('A04', before(2), { visit: 'V-9', patientClass: 'E', admitted: before(2) });
  const contradicts = new RegExp('^Contradicts the death reported for \\d\\d/\\d\\d/\\d{4}. Check with the facility$');
  const [sent, ...rest] = (await reasons()).toReversed().map((each) => each.split(': '));
  expect(sent?.[0]).toBe('PRESENTED V-9');
  expect(sent?.[1]).toMatch(contradicts);
  expect(new Set(rest.map(([, label]) => label))).toEqual(new Set(['Reported as died, contradicted since']));
  await soon(async () => {
    const { patients } = await inbox();
    expect(patients.find(({ currentPing }) => currentPing?.status === 'PRESENTED')?.currentPing?.reason).toMatchObject({
      code: 'AFTER_DEATH',
      severity: 'critical',
    });
    expect(patients[0]?.deceasedDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

test('nights for the three-day rule leave out the ED and observation', async () => {
  const { facility, patient } = await scene();
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(6) };
  await mercy.send('A04', before(6), { ...of, patientClass: 'E' });
  await mercy.send('A01', before(5), { ...of, patientClass: 'OBS' });
  expect((await patient('V-1')).currentPingEncounter).toMatchObject({ inpatientNights: 0 });
  await mercy.send('A06', before(2), of);
  await mercy.send('A03', before(0, '0001'), { ...of, discharged: before(0, '0001'), disposition: '03' });
  const { currentPingEncounter: stay } = await patient('V-1');
  expect(stay).toMatchObject({ inpatientNights: 2, lengthOfStay: 6 });
});

test('a stay elsewhere without a discharge adds no nights, and neither does a leave', async () => {
  const { facility, patient } = await scene();
  const mercy = await facility();
  const other = await facility();
  const rehab = await facility('HOS', 'REHAB_HOS');
  await mercy.stay(22, null);
  await other.stay(3, 2);
  expect((await patient('V-2')).currentPingEncounter).toMatchObject({ inpatientNights: 1 });
  expect((await patient('V-1')).currentPingEncounter).toMatchObject({ inpatientNights: null });
  await rehab.stay(60, null);
  await rehab.send('A21', before(58), { visit: 'V-3', admitted: before(60) });
  await rehab.send('A22', before(55), { visit: 'V-3', admitted: before(60) });
  await rehab.send('A03', before(54), {
    visit: 'V-3',
    admitted: before(60),
    discharged: before(54),
    disposition: '01',
  });
  expect((await patient('V-3')).currentPingEncounter).toMatchObject({ inpatientNights: 2 });
});

test('a resident on leave in a hospital keeps the flag of the nursing facility', async () => {
  const { facility, inbox } = await scene();
  const oak = await facility('SNF', 'SNF');
  const mercy = await facility();
  await oak.stay(60, null);
  await oak.send('A21', before(3), { visit: 'V-1', admitted: before(60) });
  await mercy.stay(2, null);
  await soon(async () => {
    const { facets } = await inbox();
    expect(facets.skilledNursing30Day?.options.map(({ value }) => value)).toEqual(['YES']);
  });
});
