/** Definitions of HL7-based programs: what is checked, who may change them, and what the audit log says. */
import { expect, test } from 'vitest';
import type { ProgramFields } from '#contract/hl7-programs.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make } = app;
const { id: mercy } = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Mercy General' });

const BUNDLE: ProgramFields = {
  hl7BasedProgramName: 'Heart failure bundle',
  admittingFacilityId: mercy,
  admittingFacilityType: null,
  diagnosesDefinition: null,
  drgCodes: ['291', '292', '293'],
  payer: 'Medicare',
  dischargeSetting: 'INPATIENT',
  dischargedTo: null,
  validityPeriod: 90,
};

/** A team with an administrator of its only group. */
async function office() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const define = (over: Partial<ProgramFields> = {}) =>
    client.call('POST /api/admin/hl7-programs', { body: { ...BUNDLE, ...over } });
  return { organizationId, client, define };
}

test('what is entered is checked field by field, and a change is in the audit log', async () => {
  const { client, define } = await office();
  const program = await define({
    drgCodes: ['293', '291', '291'],
    diagnosesDefinition: { codes: ['i50.2', 'I11'], principalOnly: true },
  });
  expect(program).toMatchObject({
    hl7BasedProgramName: 'Heart failure bundle',
    admittingFacilityName: 'Mercy General',
    drgCodes: ['291', '293'],
    diagnosesDefinition: { codes: ['I11', 'I50.2'], principalOnly: true },
  });
  const NONE = { admittingFacilityId: null, drgCodes: [], payer: null, dischargeSetting: null };
  const wrong: [Partial<ProgramFields>, string][] = [
    [{ hl7BasedProgramName: ' ' }, 'hl7BasedProgramName'],
    [{ hl7BasedProgramName: 'x'.repeat(121) }, 'hl7BasedProgramName'],
    [{ admittingFacilityId: '999999999' }, 'admittingFacilityId'],
    [{ drgCodes: ['29'] }, 'drgCodes.0'],
    [{ drgCodes: Array<string>(101).fill('291') }, 'drgCodes'],
    [{ diagnosesDefinition: { codes: [], principalOnly: false } }, 'diagnosesDefinition.codes'],
    [{ diagnosesDefinition: { codes: ['heart'], principalOnly: false } }, 'diagnosesDefinition.codes.0'],
    [{ payer: '' }, 'payer'],
    [{ validityPeriod: 0 }, 'validityPeriod'],
    [{ validityPeriod: 366 }, 'validityPeriod'],
    [{ dischargedTo: 'MOON' as never }, 'dischargedTo'],
    [NONE, 'conditions'],
  ];
  for (const [over, field] of wrong) {
    const { errorKey, fields } = await errorOf(client, 'POST /api/admin/hl7-programs', {
      body: { ...BUNDLE, hl7BasedProgramName: 'Another', ...over },
    });
    expect([errorKey, Object.keys(fields ?? {})]).toEqual(['BAD_REQUEST', [field]]);
  }
  const taken = { body: { ...BUNDLE, hl7BasedProgramName: 'HEART failure bundle' } };
  expect((await errorOf(client, 'POST /api/admin/hl7-programs', taken)).errorKey).toBe('NAME_TAKEN');

  const { id, version } = program;
  const change = { params: { id }, body: { ...BUNDLE, validityPeriod: 30, version } };
  await client.call('PUT /api/admin/hl7-programs/:id', change);
  expect((await errorOf(client, 'PUT /api/admin/hl7-programs/:id', change)).errorKey).toBe('CHANGED_BY_OTHER');
  await client.call('DELETE /api/admin/hl7-programs/:id', { params: { id } });
  const { changes } = await client.call('GET /api/admin/changes', { query: {} });
  const own = changes.filter(({ action }) => action.startsWith('hl7-program.'));
  expect(own.map(({ action, subject }) => [action, subject.name])).toEqual(
    ['end', 'change', 'add'].map((what) => [`hl7-program.${what}`, 'Heart failure bundle']),
  );
  expect(own[1]?.detail['changes']).toMatchObject({ validityPeriod: [90, 30] });
});

test('only an administrator of every group of the organization changes programs, and facilities are found by name', async () => {
  const { client, organizationId, define } = await office();
  const { id } = await define();
  const other = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [other.id] });
  const part = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  expect((await errorOf(part, 'POST /api/admin/hl7-programs', { body: BUNDLE })).errorKey).toBe('NOT_PERMITTED');
  const params = { id };
  expect((await errorOf(part, 'PUT /api/admin/hl7-programs/:id', { params, body: BUNDLE })).errorKey).toBe(
    'NOT_PERMITTED',
  );
  expect((await errorOf(part, 'DELETE /api/admin/hl7-programs/:id', { params })).errorKey).toBe('NOT_PERMITTED');
  expect(await part.call('GET /api/admin/hl7-programs', {})).toHaveLength(1);
  const find = async (query: string) =>
    (await client.call('GET /api/admin/hl7-programs/facilities', { query: { query } })).map(({ name }) => name);
  expect([await find('merc'), await find('gener'), await find('ercy'), await find('%%')]).toEqual([
    ['Mercy General'],
    ['Mercy General'],
    [],
    [],
  ]);
});
