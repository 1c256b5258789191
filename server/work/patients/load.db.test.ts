import { expect, test } from 'vitest';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories, momentOf } from '#server/testing/factories.ts';
import { loadPatients } from './load.ts';

const now = new Date('2026-11-20T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const database = await testDatabase();
const make = factories(database.pipeline, () => now);

async function coordinator() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const actor = await loadActor(database.app, (await make.user({ team })).id, team.id);
  if (!actor) throw new Error('The coordinator has no team');
  return { groupId, actor };
}

/** Makes a finished stay from `from` to `to` days ago, with these events. */
async function stay(personId: string, from: number, to: number, events: { code: 'ADMIT' | 'PRESENTED'; at: number }[]) {
  const visit = {
    status: 'FINISHED' as const,
    admittedAt: momentOf(daysAgo(from)),
    dischargedAt: momentOf(daysAgo(to)),
  };
  const encounter = await make.encounter({ personId, visit });
  for (const { code, at } of events) await make.event({ encounterId: encounter.id, code, at: daysAgo(at) });
  return encounter;
}

test('an emergency visit that became a stay counts once as each, and a retracted arrival does not count', async () => {
  const { groupId, actor } = await coordinator();
  const { personId } = await make.rosterPatient({ groupId });
  await stay(personId, 40, 36, [
    { code: 'PRESENTED', at: 40.2 },
    { code: 'ADMIT', at: 40 },
  ]);
  const direct = await stay(personId, 90, 80, [{ code: 'ADMIT', at: 90 }]);
  await make.event({ encounterId: direct.id, code: 'PRESENTED', state: 'CANCELLED', at: daysAgo(90) });
  await make.encounter({ personId, visit: { status: 'CANCELLED', setting: 'EMERGENCY' } });
  const [patient] = await asActor(database.app, actor, 'canViewPatients', (tx) =>
    loadPatients(tx, [{ personId, encounterId: null }], now),
  );
  expect(patient).toMatchObject({
    emergencyRoomVisitCount: 1,
    emergencyRoomCount: 1,
    encounterCounts: { emergency: 1, inpatient: 2, postAcute: 0 },
  });
});
