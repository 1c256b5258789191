import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { assignStay, snoozeStay } from '#server/work/worklist/stay-work.ts';
import { type DemoDirectory, idOf } from './directory.ts';

/** Who takes the newest open stays, by turns; no one takes many. */
const TAKEN_BY = ['rosa.lindgren', null, 'desmond.achterberg', null, null, 'rosa.lindgren', null] as const;
/** Every so many of the taken ones wait for a new event. */
const WAITS = 4;
const MOST = 60;

/** Lets Lakeshore ACO's coordinators take some of the open stays of their team, and let a few wait. */
export async function writeStayWork(
  { app, pipeline }: { app: Database; pipeline: Database },
  directory: DemoDirectory,
  now: Date,
): Promise<void> {
  const [teamId, groupId] = [idOf(directory.teams, 'aco-coordination'), idOf(directory.groups, 'lakeshore-aco')];
  const actor = await loadActor(app, idOf(directory.users, 'rosa.lindgren'), teamId);
  if (!actor) throw new Error('The demo has no coordinator');
  const { rows } = await pipeline.query<{ patientId: string; eventIdentifiers: string[] }>(sql`
    select min(r.id) || '_' || p.encounter_id as "patientId", array_agg(distinct p.event_id::text) as "eventIdentifiers"
    from pings p join roster_patients r on r.id = p.roster_patient_id join encounters e on e.id = p.encounter_id and e.person_id = r.person_id
    where p.group_id = ${groupId} and ${mayReadPing}
    group by p.encounter_id having bool_or(p.management_status in ('NEW', 'IN_PROGRESS'))
    order by max(p.event_at) desc, p.encounter_id limit ${MOST}`);
  let taken = 0;
  const change = { now, requestId: 'demo' };
  for (const [turn, { patientId, eventIdentifiers }] of rows.entries()) {
    const to = TAKEN_BY[turn % TAKEN_BY.length];
    if (!to) continue;
    taken += 1;
    await asActor(app, actor, 'canManagePings', async (tx) => {
      const userId = idOf(directory.users, to);
      const { version: expectedVersion } = await assignStay(tx, { patientId, expectedVersion: '0', userId }, change);
      if (taken % WAITS === 0)
        await snoozeStay(tx, { patientId, expectedVersion, eventIdentifiers, until: 'EVENT' }, change);
    });
  }
}
