/** Exports of what a 42 CFR Part 2 facility reported. */
import { expect, test } from 'vitest';
import type { ExportFieldId } from '#contract/export-fields.ts';
import { PART2_NOTICE } from '#contract/part2.ts';
import { sql } from '#server/platform/database/sql.ts';
import { exporting, readCsv } from '#server/testing/exports.ts';
import { CANARY, consentTo, endConsentOf, startPart2App } from '#server/testing/part2.ts';

const { app, clock, db, scene } = await startPart2App();
const { run, get, download, exported } = exporting(app);
const NOTICE = '42 CFR Part 2 notice';
const fields: ExportFieldId[] = ['patientId', 'allDiagnoses', 'dischargedTo'];

test('without a consent nothing of the facility is exported; with one, each of its rows has the notice', async () => {
  const { facility, program } = await scene();
  expect((await exported(program.client, { fields })).rows).toEqual([]);
  const own = await exported(facility.client, { fields });
  expect(own.rows).toMatchObject([{ 'All diagnoses': `${CANARY.code} ${CANARY.text}`, [NOTICE]: PART2_NOTICE }]);
  await consentTo(facility.client, facility.patientId, program.groupId);
  const { rows } = await exported(program.client, { fields });
  expect(rows).toMatchObject([{ 'Patient ID': program.visitId, [NOTICE]: PART2_NOTICE }]);
});

test('a file with such records is withheld once a consent for its group has ended', async () => {
  const { facility, program } = await scene();
  const consent = await consentTo(facility.client, facility.patientId, program.groupId);
  const { id } = await exported(program.client);
  const own = await exported(facility.client);
  clock.advance(1000);
  await endConsentOf(facility.client, facility.patientId, consent.id);
  const withheld = await download(program.client, id);
  expect([withheld.status, ((await withheld.json()) as { errorKey: string }).errorKey]).toEqual([
    409,
    'EXPORT_WITHHELD',
  ]);
  expect((await exported(program.client)).rows).toEqual([]);
  expect((await download(facility.client, own.id)).status).toBe(200);
});

test('a file is withheld once a facility has come under 42 CFR Part 2', async () => {
  const { facility, program } = await scene({ isPart2: false });
  const { id, rows } = await exported(program.client, { fields });
  expect(rows).toMatchObject([{ 'All diagnoses': `${CANARY.code} ${CANARY.text}` }]);
  const own = await exported(facility.client);
  clock.advance(1000);
  await db.query(sql`update groups set is_part2_facility = true where id = ${facility.groupId}`);
  for (const [client, job] of [
    [program.client, id],
    [facility.client, own.id],
  ] as const) {
    const answer = await download(client, job);
    expect([answer.status, ((await answer.json()) as { errorKey: string }).errorKey]).toEqual([409, 'EXPORT_WITHHELD']);
  }
  const again = await exported(facility.client);
  expect((await download(facility.client, again.id)).status).toBe(200);
});

test('lists keep the same rule', async () => {
  const { facility, program } = await scene();
  const file = async () => (await get(program.client, '/api/export/patient-active-encounters')).text();
  expect(await file()).not.toContain(CANARY.code);
  await consentTo(facility.client, facility.patientId, program.groupId);
  await expect
    .poll(async () => readCsv(await file()), { timeout: 5000 })
    .toMatchObject([{ 'All diagnoses': `${CANARY.code} ${CANARY.text}`, [NOTICE]: PART2_NOTICE }]);
  const job = await program.client.call('POST /api/export/initiate-list-export', { query: {}, body: {} });
  await run(job.id);
  expect(readCsv(await (await download(program.client, job.id)).text())).toMatchObject([{ [NOTICE]: PART2_NOTICE }]);
});
