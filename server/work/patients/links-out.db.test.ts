/** Links to WISHIN Pulse and Vynca: who sets them, for whom they are there, and where the browser may post. */
import { expect, test } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make } = app;

const SET = 'PUT /api/admin/record-settings';
const PULSE = {
  url: 'https://pulse.example/find',
  fields: [
    { name: 'family', value: '{lastName}' },
    { name: 'who', value: '{firstName} {lastName} {unknown}' },
    { name: 'zip', value: '{zip}' },
  ],
  states: ['WI' as const],
};
const VYNCA = { url: 'https://vynca.example/open', fields: [{ name: 'dob', value: '{dateOfBirth}' }] };

/** An organization with an administrator, who holds canUseWishinPulse, and a patient. */
async function organization(columns: object = {}) {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const member = async (added: 'canUseWishinPulse'[] = [], removed: 'canViewAllPatientDetails'[] = []) =>
    signIn(app, (await make.user({ team, role: 'administrator', added, removed })).username);
  const who = { first_name: '{zip}', last_name: 'Kestrel', date_of_birth: '1941-03-14', zip: '53703', state: 'WI' };
  const { id } = await make.rosterPatient({ groupId, ...who, ...columns });
  return { client: await member(['canUseWishinPulse']), member, params: { id: `${id}_0` } };
}
type Organization = Awaited<ReturnType<typeof organization>>;

const flags = async (client: Organization['client'], params: Organization['params']) => {
  const { wishinPulseEnabled, hasVynca } = await client.call('GET /api/patients/:id', { params });
  return [wishinPulseEnabled, hasVynca];
};

test('Pulse is there where the link lists the patient’s state, under its permission', async () => {
  const { client, member, params } = await organization();
  expect(await flags(client, params)).toEqual([false, false]);
  expect((await errorOf(client, 'GET /api/patients/:id/pulse-link', { params })).errorKey).toBe('NOT_FOUND');
  await client.call(SET, { body: { pulse: PULSE } });
  expect(await flags(client, params)).toEqual([true, false]);
  expect(await client.call('GET /api/patients/:id/pulse-link', { params })).toEqual({
    url: PULSE.url,
    fields: [
      { name: 'family', value: 'Kestrel' },
      { name: 'who', value: '{zip} Kestrel {unknown}' },
      { name: 'zip', value: '53703' },
    ],
  });
  const without = await member();
  expect(await flags(without, params)).toEqual([false, false]);
  expect((await errorOf(without, 'GET /api/patients/:id/pulse-link', { params })).errorKey).toBe('NOT_PERMITTED');
  const noDetails = await member(['canUseWishinPulse'], ['canViewAllPatientDetails']);
  const link = await noDetails.call('GET /api/patients/:id/pulse-link', { params });
  expect(link.fields.find(({ name }) => name === 'zip')?.value).toBe('');
  await client.call(SET, { body: { pulse: { ...PULSE, states: ['MI'] } } });
  expect(await flags(client, params)).toEqual([false, false]);
});

test('Vynca is there where a roster names an advance care document, at the user’s own organization only', async () => {
  const [here, there] = [
    await organization({ advance_care_documents: ['POLST'] }),
    await organization({ advance_care_documents: ['POLST'] }),
  ];
  await here.client.call(SET, { body: { vynca: VYNCA } });
  expect(await flags(here.client, here.params)).toEqual([false, true]);
  expect(await flags(there.client, there.params)).toEqual([false, false]);
  const { params } = here;
  expect((await here.client.call('GET /api/patients/:id/vynca-link', { params })).fields).toEqual([
    { name: 'dob', value: '1941-03-14' },
  ]);
  const foreign = await errorOf(there.client, 'GET /api/patients/:id/vynca-link', { params });
  expect(foreign.errorKey).toBe('NOT_FOUND');
  // What a change leaves out stays.
  expect(await here.client.call(SET, { body: { pulse: PULSE } })).toMatchObject({ pulse: PULSE, vynca: VYNCA });
  expect(await here.client.call(SET, { body: { vynca: null } })).toMatchObject({ pulse: PULSE, vynca: null });
  expect(await flags(here.client, params)).toEqual([true, false]);
});

test.each([
  'http://pulse.example/',
  'https://pulse.example/?id={memberId}',
  'https://pulse.example/#x',
  'https://a@b.example/',
])('the address %s is refused', async (url) => {
  const { client } = await organization();
  expect((await errorOf(client, SET, { body: { pulse: { ...PULSE, url } } })).errorKey).toBe('BAD_REQUEST');
});
