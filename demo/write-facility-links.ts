import { sql } from '#server/platform/database/sql.ts';
import { createLink, type LinkDeps } from '#server/work/facility-links/facility-links.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const COORDINATOR: Seat = { user: 'rosa.lindgren', team: 'aco-coordination' };
const RECIPIENT = 'health.records@mercygeneral.example';

/** Asks the hospital of the longest open stay of Lakeshore ACO's patients by mail about the discharge, as its coordinator does. */
export async function writeFacilityLink(deps: LinkDeps, directory: DemoDirectory, now: Date): Promise<void> {
  const { rows } = await deps.pipeline.query<{ id: string }>(sql`
    select min(r.id) || '_' || e.id as id
    from encounters e join roster_patients r on r.person_id = e.person_id join groups g on g.id = e.group_id
      join source_patients s on s.id = e.source_patient_id
    where r.group_id = ${idOf(directory.groups, 'lakeshore-aco')} and r.left_at is null and not g.is_part2_facility
      and e.setting = 'INPATIENT' and e.status = 'IN_PROGRESS' and not s.deceased and s.demographics ->> 'birthDate' is not null
    group by e.id order by e.admitted_at, e.id limit 1`);
  const actor = await seated(deps.db, directory, COORDINATOR);
  for (const { id } of rows)
    await createLink(deps, { actor, now, requestId: 'demo' }, id, {
      purpose: 'CONFIRM_DISCHARGE',
      recipient: RECIPIENT,
      hours: 72,
    });
}
