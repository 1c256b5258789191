/** The notice of 42 CFR Part 2 where a row elsewhere rests on a stay at such a facility. Today is November 20, 2026. */
import { expect, test } from 'vitest';
import { EXPORT_FIELD_IDS } from '#contract/export-fields.ts';
import { PART2_NOTICE } from '#contract/part2.ts';
import { sql } from '#server/platform/database/sql.ts';
import { exporting, readCsv } from '#server/testing/exports.ts';
import { adt } from '#server/testing/hospital.ts';
import { CANARY, consentTo, startPart2App } from '#server/testing/part2.ts';

const { app, db, hosp, office, scene } = await startPart2App();
const { get, exported } = exporting(app);
const NOTICE = '42 CFR Part 2 notice';

/** A stay at the facility that ended yesterday, and an ED visit elsewhere today. */
async function afterStay() {
  const { facility, program, personId, send } = await scene();
  await send('A03', '202611200930', { discharged: '202611200930' });
  const elsewhere = await office('HOS');
  const code = `E-${elsewhere.groupId}`;
  await hosp.feed(elsewhere.organizationId, { [code]: elsewhere.groupId });
  const { rows } = await db.query<{ family: string; given: string; birthDate: string; sex: string; zip: string }>(sql`
    select last_name as family, first_name as given, date_of_birth::text as "birthDate", gender as sex, zip from roster_patients
    where group_id = ${program.groupId}`);
  const [row] = rows;
  if (!row) throw new Error('No one is listed');
  const person = { ...row, sex: row.sex === 'Female' ? ('F' as const) : ('M' as const) };
  await hosp.send(
    adt('A04', {
      at: '202611200950',
      record: 'MR-2',
      visit: 'E-1',
      facility: code,
      person,
      patientClass: 'E',
      admitted: '202611200950',
    }),
  );
  const rowsOf = async (call: 'POST /api/pings' | 'POST /api/patients/search' | 'POST /api/events/search') =>
    (await program.client.call(call, { body: {} })).patients.filter(
      ({ currentPing }) => currentPing?.facility.name === elsewhere.name,
    );
  return { facility, program, personId, elsewhere, rowsOf };
}

const REASON = expect.stringMatching(/^Discharged from a hospital (on the same day|\d+ days? before), /);

test('a row whose reason rests on such a stay says so on each list and on the page; without a consent there is neither', async () => {
  const { facility, program, rowsOf } = await afterStay();
  const before = await rowsOf('POST /api/pings');
  expect(before).toMatchObject([{ hasPart2Records: false, currentPing: { reason: null } }]);
  await consentTo(facility.client, facility.patientId, program.groupId);
  await expect
    .poll(async () => rowsOf('POST /api/pings'), { timeout: 5000 })
    .toMatchObject([{ hasPart2Records: true, currentPing: { reason: { label: REASON } } }]);
  expect(await rowsOf('POST /api/events/search')).toMatchObject([{ hasPart2Records: true }]);
  expect(await rowsOf('POST /api/patients/search')).toMatchObject([{ hasPart2Records: true }]);
  const id = before[0]?.id ?? '';
  expect(await program.client.call('GET /api/patients/:id', { params: { id } })).toMatchObject({
    hasPart2Records: true,
    currentPing: { reason: { label: REASON } },
  });
});

test('an export of a list has the notice beside such a reason; one of encounters says nothing that follows from another stay', async () => {
  const { facility, program, elsewhere } = await afterStay();
  await consentTo(facility.client, facility.patientId, program.groupId);
  const file = async () => readCsv(await (await get(program.client, '/api/export/patient-active-encounters')).text());
  await expect
    .poll(file, { timeout: 5000 })
    .toMatchObject([{ Facility: elsewhere.name, 'Why on the list': REASON, [NOTICE]: PART2_NOTICE }]);
  const { rows } = await exported(program.client, { fields: EXPORT_FIELD_IDS });
  const [own, other] = [
    rows.find((row) => row['Facility'] === facility.name),
    rows.find((row) => row['Facility'] === elsewhere.name),
  ];
  expect(own).toMatchObject({ 'All diagnoses': `${CANARY.code} ${CANARY.text}`, [NOTICE]: PART2_NOTICE });
  expect(other).toMatchObject({ Setting: 'Emergency', 'All diagnoses': '', [NOTICE]: '' });
  expect(Object.keys(other ?? {})).not.toContain('Why on the list');
});
