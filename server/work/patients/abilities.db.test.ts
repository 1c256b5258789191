/** What the answer about a stay lets its reader do. */
import { expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database } = app;

test('a stay may be changed by those who hold canManagePings in a group that has its pings', async () => {
  const { id: organizationId } = await make.organization();
  const { id: pinged } = await make.group({ organizationId });
  const { id: elsewhere } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [pinged, elsewhere] });
  const { patientId } = await make.ping({ groupId: pinged });
  const seenBy = async (there: 'viewer' | 'care coordinator', here: 'viewer' | 'care coordinator') => {
    const user = await make.user({ team, role: there });
    await grantRole(database.pipeline, { userId: user.id, teamId: team.id, groupId: pinged, role: here });
    await grantRole(database.pipeline, { userId: user.id, teamId: team.id, groupId: elsewhere, role: there });
    const client = await signIn(app, user.username);
    const { card } = await client.call('GET /api/patients/:id', { params: { id: patientId } });
    return card?.abilities.change;
  };
  expect(await seenBy('viewer', 'care coordinator')).toBe(true);
  expect(await seenBy('care coordinator', 'viewer')).toBe(false);
});

test('of a stay at the own facility, of which the team gets no pings, there is nothing to change', async () => {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team })).username);
  const { id, personId } = await make.rosterPatient({ groupId });
  const encounter = await make.encounter({ groupId, personId });
  await make.event({ encounterId: encounter.id, code: 'ADMIT' });
  const patient = await client.call('GET /api/patients/:id', { params: { id: `${id}_${encounter.id}` } });
  expect(patient.currentPing?.status).toBe('ADMIT');
  expect(patient.card).toBeNull();
});
