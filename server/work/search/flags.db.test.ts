/** Permissions over what lists and a patient's answer contain, one by one: with the flag it is there, without it is not. */
import { expect, test } from 'vitest';
import type { Facet } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { filtering, patients, startSearchApp } from '#server/testing/search.ts';

const { app, make, teamOf, addPerson } = await startSearchApp();

const SEARCH = 'POST /api/patients/search';

/** Two users of a team: one holds every flag of an administrator, the other all but this one. */
async function withAndWithout(flag: Permission) {
  const { client, team, groupIds } = await teamOf();
  const { username } = await make.user({ team, role: 'administrator', removed: [flag] });
  return { client, without: await signIn(app, username), group: groupIds[0] };
}

const BY_FLAG = [
  ['canViewCovid19Status', 'covid19', 'ACTIVE'],
  ['canViewRisingRiskFlag', 'risingRisk', 'RISING'],
] as const satisfies readonly (readonly [Permission, Facet, string])[];

test.each(BY_FLAG)('%s opens the facet %s in a search, and its filter', async (flag, facet, value) => {
  const { client, without, group } = await withAndWithout(flag);
  await addPerson(group, { admitted: 1, diagnosis: { code: 'U07.1', description: 'COVID-19' } });
  expect((await patients(client, {})).facets).toHaveProperty(facet);
  expect((await patients(without, {})).facets).not.toHaveProperty(facet);
  const body = filtering({ [facet]: value });
  await client.call(SEARCH, { body });
  expect((await errorOf(without, SEARCH, { body })).errorKey).toBe('NOT_PERMITTED');
});

test('canViewAllPatientDetails opens address, phones, insurance and member ids, in lists and for one patient', async () => {
  const { client, without, group } = await withAndWithout('canViewAllPatientDetails');
  const columns = { address1: '12 Alder Lane', city: 'Fairhaven', home_phone: '585-555-0143', insurance: ['Medicare'] };
  const { listing } = await addPerson(group, { columns });
  const params = { id: `${listing.id}_0` };
  const answers = async (each: typeof client) => [
    await each.call('GET /api/patients/:id', { params }),
    ...(await patients(each, {})).patients,
  ];
  for (const patient of await answers(client)) {
    expect(patient.detailsVisible).toBe(true);
    expect(JSON.stringify(patient.insurancePlans)).toContain('Medicare');
    expect(patient.address).toMatchObject({ address1: '12 Alder Lane', homePhone: '585-555-0143' });
    expect(patient.listings.map(({ memberId }) => memberId)).not.toContain(null);
  }
  for (const patient of await answers(without)) {
    expect(patient).toMatchObject({ detailsVisible: false, address: null, insurancePlans: [] });
    expect(patient.listings.map(({ memberId }) => memberId)).toEqual([null]);
    expect(JSON.stringify(patient)).not.toMatch(/Alder Lane|555-0143|Medicare/);
  }
});
