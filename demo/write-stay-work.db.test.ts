import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { startApp } from '#server/testing/app.ts';
import { createDirectory, idOf } from './directory.ts';
import { makeRegion } from './world/region.ts';
import { TREATMENT_FACILITY } from './world/treatment.ts';
import { writeStayWork } from './write-stay-work.ts';

const { make, database, clock } = await startApp();

test('a stay whose 42 CFR Part 2 facility has no consent any more is not taken, and the next one is', async () => {
  const directory = await createDirectory(database.pipeline, makeRegion(), clock.now());
  const groupId = idOf(directory.groups, 'lakeshore-aco');
  const stayAt = async (facility: string, at: string) => {
    const { personId } = await make.rosterPatient({ groupId });
    const encounter = await make.encounter({ groupId: idOf(directory.groups, facility), personId });
    return make.ping({ groupId, encounter, event_at: at });
  };
  await stayAt(TREATMENT_FACILITY, '2026-11-20T14:00:00Z');
  const { encounterId } = await stayAt('mercy', '2026-11-20T13:00:00Z');
  await writeStayWork({ app: database.app, pipeline: database.pipeline }, directory, clock.now());
  const { rows } = await database.pipeline.query(sql`select encounter_id::text as "encounterId" from stay_work`);
  expect(rows).toEqual([{ encounterId }]);
});
