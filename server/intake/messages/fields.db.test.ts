/** Fields that senders fill in their own way, from the message to what the hospital's own team sees. */
import { expect, test } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);

let count = 0;
/** Adds a hospital with a feed, and someone of its team who sees details. */
async function office() {
  const code = `FIELDS${++count}`;
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  await hosp.feed(organizationId, { [code]: facility.id });
  const client = await signIn(app, (await make.user({ team, role: 'clinician' })).username);
  client.teamId = team.id;

  /** Sends a message of these segments. Returns what became of it. */
  const send = async (trigger: string, ...segments: string[]) => {
    const head = `MSH|^~\\&|TESTADT|${code}|||202611200900||ADT^${trigger}|${code}-${++count}|P|2.5.1`;
    const id = await hosp.send([head, `EVN|${trigger}|202611200900`, ...segments, ''].join('\r'));
    const { status, reason } = await hosp.message(id);
    return [status, reason];
  };
  /** Returns the hospital's patients as its team sees them, by record number, with their stays. */
  const patients = async () => {
    const { rows } = await database.pipeline.query<{ id: string; record: string }>(
      `select r.id || '_' || e.id as id, r.member_id as record from roster_patients r
       join source_patients s on s.group_id = r.group_id and s.record_number = r.member_id
       join encounters e on e.source_patient_id = s.id and e.status <> 'CANCELLED'
       where r.group_id = $1 and r.left_at is null`,
      [facility.id],
    );
    const seen = rows.map(async ({ id, record }) => {
      const patient = await client.call('GET /api/patients/:id', { params: { id } });
      return [record, patient] as const;
    });
    return new Map(await Promise.all(seen));
  };
  /** Everything stored about the hospital's patients, as text. */
  const stored = async () =>
    JSON.stringify(
      (
        await database.pipeline.query(
          `select f.adt, s.record_number, s.demographics, to_jsonb(r) as listing, e.state
           from source_patients s left join facts f on f.source_patient_id = s.id left join encounters e on e.source_patient_id = s.id
             left join roster_patients r on r.group_id = s.group_id where s.group_id = $1`,
          [facility.id],
        )
      ).rows,
    );
  return { code, send, patients, stored };
}

const VISIT = 'PV1|1|I|3W^12^A||||||||||||||||V-1';
/** PID of a patient whose family name is unique, with further fields by number. */
function pid(record: string, fields: Record<number, string> = {}): string {
  const known: Record<number, string> = {
    3: record,
    5: `Quill${'abcdefghij'[count % 10]}${count}^Odette`,
    7: '19380211',
    8: 'F',
  };
  return ['PID', ...Array.from({ length: 30 }, (_, index) => fields[index + 1] ?? known[index + 1] ?? '')].join('|');
}

test('an A40 merges a record number of each authority, and several of one', async () => {
  const { code, send, patients } = await office();
  const number = (value: string, authority = code) => `${value}^^^${authority}^MR`;
  const person = { 5: 'Thistlewood^Maren', 7: '19440719', 8: 'F' };
  for (const [record, visit] of [
    ['M-101', 'V-1'],
    ['M-102', 'V-2'],
    ['L-201', 'V-3'],
  ] as const) {
    const authority = record.startsWith('L') ? 'LAB' : code;
    await send('A01', pid(number(record, authority), person), `PV1|1|I|3W^12^A||||||||||||||||${visit}`);
  }
  expect([...(await patients()).keys()].sort()).toEqual(['L-201', 'M-101', 'M-102']);
  const into = [number('M-100'), number('M-110'), number('L-200', 'LAB')].join('~');
  const from = [number('L-201', 'LAB'), number('M-101'), number('M-102')].join('~');
  expect((await send('A40', pid(into, person), `MRG|${from}`))[0]).toBe('APPLIED');
  const seen = await patients();
  expect([...seen.keys()].sort()).toEqual(['L-200', 'M-100', 'M-110']);
  expect([...seen.values()].map(({ currentPingEncounter }) => currentPingEncounter?.status)).toEqual(
    Array.from({ length: 3 }, () => 'IN_PROGRESS'),
  );
});

test('a Social Security number is no record number, and is not stored anywhere', async () => {
  const { send, patients, stored } = await office();
  const refused = 'PID-3 has no identifier that can be a record number.';
  for (const [three, nineteen] of [
    ['219099999^^^NORTH^SS', ''],
    ['219099999^^^SSA', ''],
    ['219099999^^^&2.16.840.1.113883.4.1&ISO^MR', ''],
    ['219-09-9999', ''],
    ['219099999^^^NORTH^MR', '219-09-9999'],
  ] as const) {
    const [status, reason] = await send('A01', pid(three, { 19: nineteen }), VISIT);
    expect([status, reason?.slice(0, refused.length)]).toEqual(['QUARANTINED', refused]);
  }
  const listed = pid('219099999~M-1^^^NORTH^MR~219099999^^^SSA^SS', {
    2: '219099999',
    18: '219-09-9999',
    19: 'PSSN123121234',
  });
  const insurance = 'IN1|1|MCR|112|Medicare||||||||||||||||||||||||||||||||219099998A';
  expect((await send('A01', listed, VISIT, insurance))[0]).toBe('APPLIED');
  expect([...(await patients()).keys()]).toEqual(['M-1']);
  expect(await stored()).not.toMatch(/219-?09-?999/);
  expect(await stored()).toContain('"ssnLast4":"9999"');
});

test('phone, street, name and diagnosis are read however they were sent, and an empty PID is skipped', async () => {
  const { send, patients } = await office();
  const sent = {
    5: 'EVERYMAN&&&&Aniston^ADAM^A^III^Dr.^MD^D~Josh&&&&Bing^^stanley^^^^L',
    11: '1000&Hospital Lane^Ste. 123^Ann Arbor^MI^48104',
    13: '(734)555-0101^PRN^PH^adam@example.org',
  };
  const [status, reason] = await send(
    'A01',
    'PID|1',
    pid('M-1^^^NORTH^MR', sent),
    VISIT,
    'DG1|1||^^^I50.9^Heart failure^I10',
  );
  expect(status).toBe('APPLIED');
  expect(reason).not.toContain('PID');
  expect((await patients()).get('M-1')).toMatchObject({
    firstName: 'ADAM',
    lastName: 'EVERYMAN',
    address: { address1: '1000 Hospital Lane', homePhone: '(734)555-0101' },
    currentPingEncounter: { diagnosis: { fullCode: 'I50.9', synonym: 'Heart failure' } },
  });
});

test('PV1-39 names the hospital of a message whose other fields name none that the feed lists', async () => {
  const { id: organizationId } = await make.organization();
  const listed = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const exchange = `EXCHANGE${++count}`;
  await hosp.feed(organizationId, { [`${exchange}-SITE`]: listed.id }, { sendingFacility: exchange });
  const send = (site: string) =>
    hosp.send(
      [
        `MSH|^~\\&|TESTADT|${exchange}|||202611200900||ADT^A01|${exchange}-${++count}|P|2.5.1`,
        'EVN|A01|202611200900',
        pid('PV39'),
        `${VISIT}${'|'.repeat(20)}${site}`,
        '',
      ].join('\r'),
    );
  const outcome = async (site: string) => (await hosp.message(await send(site))).status;
  expect(await outcome('')).toBe('QUARANTINED');
  expect(await outcome(`${exchange}-SITE`)).toBe('APPLIED');
  expect(await hosp.events(listed.id)).toEqual(['ADMIT ACTIVE']);
});

test('PD1-12 changes nothing, and the reason says so', async () => {
  const { send, patients } = await office();
  expect(await send('A01', pid('PD12'), `PD1|${'|'.repeat(10)}|Y`, VISIT)).toEqual([
    'APPLIED',
    'Created: admission; PD1-12 is Y (protected), which changes nothing here',
  ]);
  expect((await patients()).size).toBe(1);
});
