import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { endListings } from './end-listings.ts';
import { listAtFacility } from './facility-listing.ts';

const { pipeline } = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, () => now);

test('a ping that someone resolves while its listing ends keeps that status', async () => {
  const listing = await make.rosterPatient({ leaves_at: new Date('2026-11-19T00:00:00Z') });
  const encounter = await make.encounter({ personId: listing.personId });
  const ping = await make.ping({ groupId: listing.groupId, encounter, rosterPatientId: listing.id });
  let ended: Promise<number> = Promise.resolve(0);
  await pipeline.transaction(async (tx) => {
    await tx.query(`update pings set management_status = 'RESOLVED' where id = $1`, [ping.id]);
    ended = pipeline.transaction((other) => endListings(other, now));
    await Promise.race([ended, sleep(300)]);
  });
  expect(await ended).toBe(1);
  const { rows } = await pipeline.query('select management_status as status, status_id from pings where id = $1', [
    ping.id,
  ]);
  expect(rows).toEqual([{ status: 'RESOLVED', status_id: null }]);
});

test('open pages are notified of pings resolved because all visits of a listing were retracted', async () => {
  const source = await make.sourcePatient();
  const { rows } = await pipeline.query<{ record: string }>(
    'select record_number as record from source_patients where id = $1',
    [source.id],
  );
  const memberId = rows[0]?.record ?? '';
  const listing = await make.rosterPatient({ groupId: source.groupId, personId: source.personId, memberId });
  const encounter = await make.encounter({ personId: source.personId });
  const ping = await make.ping({ groupId: source.groupId, encounter, rosterPatientId: listing.id });
  await pipeline.transaction((tx) =>
    listAtFacility(tx, [{ id: source.id, demographics: {}, hasVisits: false, lastDischarge: null }], now),
  );
  const changes = await pipeline.query(
    'select kind, change, subject_id as "eventId" from change_log where group_id = $1',
    [source.groupId],
  );
  expect(changes.rows).toEqual([{ kind: 'ping', change: 'status', eventId: ping.eventId }]);
});
