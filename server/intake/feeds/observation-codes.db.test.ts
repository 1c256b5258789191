/** Senders that send observation as class O: the feed's observation codes, and the codes that are suggested from what it has sent. */
import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn } from '#server/testing/app.ts';
import { feedOffice } from '#server/testing/feed-office.ts';
import { type AdtParts, adt } from '#server/testing/hospital.ts';

const { app, hosp, away, operator } = await feedOffice();
const { make } = app;
const { rows } = administration(app);

/** What the messages of these tests say besides the usual: PV1-10 and PV1-18. */
type Parts = Partial<AdtParts> & { hospitalService?: string; patientType?: string };

/** Returns a message about an outpatient. */
function outpatient(trigger: string, { hospitalService = '', patientType = '', ...parts }: AdtParts & Parts): string {
  const fields = (line: string) => line.split('|').with(10, hospitalService).with(18, patientType).join('|');
  return adt(trigger, { patientClass: 'O', ...parts }).replace(/\rPV1\|[^\r]*/, fields);
}

let count = 0;
/** Adds an organization with a hospital, its feed, its administrator, and a program that lists the patient of the messages. */
async function office() {
  const code = `OBSERVE${++count}`;
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const feedId = await hosp.feed(organizationId, { [code]: facility.id });
  const params = { id: feedId };
  const message = (trigger: string, at: string, more: Parts = {}) =>
    outpatient(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, admitted: '202611200900', ...more });
  /** Sends outpatients who arrive at nine, and leave at this time. */
  const visits = async (many: number, left: string, more: Parts) => {
    const texts = Array.from({ length: many }, () => {
      const parts = { ...more, record: `MR-${code}-${++count}`, visit: `V-${count}`, admitted: '' };
      return [message('A04', '202611190900', parts), message('A03', left, parts)];
    });
    await hosp.receive(...texts.flat());
    await hosp.queue.drain();
  };
  const save = async (settings: object) => {
    const read = await admin.call('GET /api/admin/feeds/:id/settings', { params });
    return admin.call('PUT /api/admin/feeds/:id/settings', { params, body: { ...read, settings } });
  };
  const seen = async () => (await admin.call('GET /api/admin/feeds/:id/outpatient-codes', { params })).codes;
  const suggested = async () =>
    (await admin.call('GET /api/feeds', {}))
      .find(({ id }) => id === feedId)
      ?.suggestedCodes.map(({ field, code: name, suggestedBy }) => `${field} ${name} by ${suggestedBy}`);
  return { code, facility: facility.id, admin, params, message, visits, save, seen, suggested };
}

test('a code that means observation applies from the next message, and to earlier ones that are replayed', async () => {
  const { facility, admin, params, message, save } = await office();
  const person = { family: 'Quillfeather', given: 'Odette', birthDate: '1938-02-11', sex: 'F', zip: '14850' } as const;
  const program = await make.group();
  await hosp.list(program.id, person);
  const first = await hosp.send(message('A04', '202611200900', { patientType: 'OBV', person }));
  expect([await hosp.events(facility), await hosp.pings(program.id)]).toEqual([[], []]);

  await save({ observationCodes: { patientTypes: ['obv '], hospitalServices: [] } });
  await hosp.send(message('A04', '202611200910', { patientType: 'OBV', record: 'MR-2', visit: 'V-2' }));
  await hosp.send(message('A04', '202611200910', { hospitalService: 'OBV', record: 'MR-3', visit: 'V-3' }));
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  const text = message('A04', '202611200910', { patientType: 'OBV', record: 'MR-4', visit: 'V-4' });
  expect((await admin.call('POST /api/feeds/preview', { body: { feedId: params.id, text } })).events).toEqual([
    expect.objectContaining({ change: 'added', status: 'ADMIT' }),
  ]);

  await admin.call('POST /api/feeds/messages/:id/replay', { params: { id: first } });
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE', 'ADMIT ACTIVE']);
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE current']);
  await hosp.send(message('A03', '202611200930', { person, discharged: '202611200930' }));
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
  const settings = await rows('select setting from encounters where group_id = $1 order by visit_number', [facility]);
  expect(settings).toEqual([{ setting: 'OBSERVATION' }, { setting: 'OBSERVATION' }, { setting: 'OUTPATIENT' }]);

  await save({});
  const observed = { patientTypes: ['OBV'], hospitalServices: [] };
  expect(
    await rows(
      `select detail #> '{changes,settings.observationCodes}' as change from audit_entries
       where action = 'feed.change' and subject_id = $1 order by id`,
      [params.id],
    ),
  ).toEqual([{ change: [null, observed] }, { change: [observed, null] }]);
});

test('codes are suggested by name, and by long stays in a bed, from counts', async () => {
  const { message, visits, save, seen, suggested } = await office();
  const [short, long] = ['202611191000', '202611191800'];
  await visits(4, short, { patientType: 'OBV', hospitalService: 'MED' });
  expect(await suggested()).toEqual([]);
  await visits(1, short, { patientType: 'obv', hospitalService: 'MED' });
  await visits(3, long, { patientType: 'HOLD' });
  await visits(2, short, { patientType: 'HOLD' });
  await visits(5, short, { patientType: 'CLI', hospitalService: 'OBSTET' });
  await visits(5, long, { patientType: 'Odette Quillfeather, 2/11/1938' });
  await hosp.send(
    ...['A04', 'A08', 'A03'].map((trigger) => message(trigger, long, { patientClass: 'I', patientType: 'OBV' })),
  );
  expect(await seen()).toEqual([
    { field: 'PV1-10', code: 'MED', arrivals: 5, discharges: 5, longStays: 0, suggestedBy: null },
    { field: 'PV1-10', code: 'OBSTET', arrivals: 5, discharges: 5, longStays: 0, suggestedBy: null },
    { field: 'PV1-18', code: 'CLI', arrivals: 5, discharges: 5, longStays: 0, suggestedBy: null },
    { field: 'PV1-18', code: 'HOLD', arrivals: 5, discharges: 5, longStays: 3, suggestedBy: 'USE' },
    { field: 'PV1-18', code: 'OBV', arrivals: 5, discharges: 5, longStays: 0, suggestedBy: 'NAME' },
  ]);
  expect(await suggested()).toEqual(['PV1-18 HOLD by USE', 'PV1-18 OBV by NAME']);
  await save({ observationCodes: { patientTypes: ['OBV'], hospitalServices: [] } });
  expect(await suggested()).toEqual(['PV1-18 HOLD by USE']);
  await visits(1, long, { patientType: 'OBV' });
  expect((await seen()).find(({ code }) => code === 'OBV')).toMatchObject({
    arrivals: 6,
    longStays: 1,
    suggestedBy: null,
  });
});

test('a message counts once, and a preview never', async () => {
  const { admin, params, message, seen } = await office();
  const text = message('A04', '202611190900', { patientType: 'CLI' });
  await admin.call('POST /api/feeds/preview', { body: { feedId: params.id, text } });
  const id = await hosp.send(text);
  await admin.call('POST /api/feeds/messages/:id/replay', { params: { id } });
  expect(await seen()).toMatchObject([{ code: 'CLI', arrivals: 1, discharges: 0 }]);
});

test('messages that waited until the feed was resumed count when they are processed, once', async () => {
  const { admin, params, message, visits, seen } = await office();
  await admin.call('POST /api/admin/feeds/:id/pause', { params });
  await visits(2, '202611191900', { patientType: 'HOLD' });
  const id = await hosp.send(message('A04', '202611190900', { patientType: 'CLI' }));
  expect(await seen()).toEqual([]);
  await admin.call('POST /api/admin/feeds/:id/resume', { params });
  await hosp.queue.drain();
  await admin.call('POST /api/feeds/messages/:id/replay', { params: { id } });
  await hosp.queue.drain();
  expect(await seen()).toMatchObject([
    { code: 'HOLD', arrivals: 2, discharges: 2, longStays: 2 },
    { code: 'CLI', arrivals: 1, discharges: 0, longStays: 0 },
  ]);
});

test('a stay without a bed is not long, whatever its hours', async () => {
  const { code, seen } = await office();
  const line = (trigger: string, at: string) => message(trigger, at).replace('3W^12^A^', '3W^12^^');
  const message = (trigger: string, at: string) =>
    outpatient(trigger, { at, record: 'MR-9', visit: 'V-9', facility: code, patientType: 'INF' });
  await hosp.send(line('A04', '202611190900'), line('A03', '202611191900'));
  expect(await seen()).toMatchObject([{ code: 'INF', discharges: 1, longStays: 0 }]);
});

test('counts are from this month and last, and only for those who see the feed', async () => {
  const { params, visits, seen } = await office();
  await visits(1, '202611191000', { patientType: 'CLI' });
  await rows("update outpatient_codes set month = '2026-10-01' where feed_id = $1", [params.id]);
  expect(await seen()).toMatchObject([{ code: 'CLI' }]);
  await rows("update outpatient_codes set month = '2026-09-01' where feed_id = $1", [params.id]);
  expect(await seen()).toEqual([]);
  const call = 'GET /api/admin/feeds/:id/outpatient-codes';
  expect(await refusal(away.admin.call(call, { params }))).toBe('NOT_FOUND');
  expect((await operator.call(call, { params })).since).toBe('2026-10-01');
});

test('a sender with ever new codes fills no table', async () => {
  const { params, seen, message } = await office();
  await rows(
    `insert into outpatient_codes (feed_id, month, field, code) select $1, '2026-11-01', 'PV1-18', 'T' || n from generate_series(1, 200) n`,
    [params.id],
  );
  await hosp.send(
    message('A04', '202611190900', { patientType: 'ONE-MORE' }),
    message('A08', '202611190910', { patientType: 'T7' }),
  );
  await hosp.send(message('A04', '202611190900', { record: 'MR-2', visit: 'V-2', patientType: 'T7' }));
  expect((await seen()).filter(({ arrivals }) => arrivals > 0)).toMatchObject([{ code: 'T7', arrivals: 1 }]);
});
