import { describe, expect, test } from 'vitest';
import { type Permission, STANDARD_ROLES } from '#contract/permissions.ts';
import { actorWith } from '#server/testing/actors.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { asActor } from './door.ts';
import { resolvePatient } from './patient.ts';

const { app, pipeline } = await testDatabase();
const make = factories(pipeline, () => new Date('2026-11-20T15:00:00Z'));
const FLAG: Permission = 'canViewPatients';

describe('a patient id', () => {
  test('without a visit opens the person; missing and forbidden ids are refused alike', async () => {
    const mine = await make.rosterPatient();
    const foreign = await make.rosterPatient();
    const actor = actorWith(new Map([[mine.groupId, new Set<Permission>([FLAG])]]));
    const open = (id: string) => asActor(app, actor, FLAG, (tx) => resolvePatient(tx, id));
    expect(await open(`${mine.id}_0`)).toEqual({
      rosterPatientId: mine.id,
      personId: mine.personId,
      encounterId: null,
      groupIds: [mine.groupId],
    });
    for (const id of [`${foreign.id}_0`, '9223372036854775807_0', `${mine.id}_9223372036854775807`]) {
      await expect(open(id)).rejects.toMatchObject({
        key: 'NOT_FOUND',
        message: expect.stringContaining("or you don't have access"),
      });
    }
  });

  test('does not open if the actor holds the flag for other groups only', async () => {
    const listing = await make.rosterPatient();
    const actor = actorWith(new Map([[listing.groupId, new Set<Permission>(STANDARD_ROLES.viewer)]]));
    const open = (flag: Permission) => asActor(app, actor, flag, (tx) => resolvePatient(tx, `${listing.id}_0`));
    expect(await open('canViewPings')).toMatchObject({ personId: listing.personId });
    await expect(open('canManagePings')).rejects.toMatchObject({ key: 'NOT_FOUND' });
  });
});
