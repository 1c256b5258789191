import { expect, test } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { momentOf } from '#server/testing/factories.ts';

const app = await startApp();
const { make } = app;
const on = (day: string): Date => new Date(`${day}T12:00:00Z`);

test('a stay that began under observation is as long behind the number as on the list', async () => {
  const mercy = await make.group({ type: 'HOS', facilityType: 'HOS', timeZone: 'UTC' });
  const office = await make.team();
  const reader = await signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
  const { personId } = await make.rosterPatient({ groupId: office.groupIds[0] ?? '', listed_at: on('2026-01-01') });
  const visit = {
    setting: 'INPATIENT' as const,
    status: 'FINISHED' as const,
    arrivedAt: momentOf(on('2026-10-05')),
    admittedAt: momentOf(on('2026-10-07')),
    dischargedAt: momentOf(on('2026-10-09')),
    disposition: '01',
  };
  const { id: encounterId } = await make.encounter({ personId, groupId: mercy.id, visit });
  for (const [code, setting, day] of [
    ['ADMIT', 'OBSERVATION', '2026-10-05'],
    ['ADMIT', 'INPATIENT', '2026-10-07'],
  ] as const)
    await make.event({ encounterId, code, at: on(day), setting });
  const period = { from: '2026-10-01', to: '2026-10-31' };
  const { patients } = await reader.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'length-of-stay' },
    query: period,
  });
  expect(patients.map(({ value }) => value)).toEqual([4]);
  const [id = ''] = patients.map(({ patientId }) => patientId);
  expect(await reader.call('GET /api/patients/:id', { params: { id } })).toMatchObject({
    currentPingEncounter: { lengthOfStay: 4, inpatientNights: 2 },
  });
});
