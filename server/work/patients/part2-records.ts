import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Returns whether a visit of the person that the actor may read was at a 42 CFR Part 2 facility, so that what is made from it needs the notice. */
export async function hasPart2Records(tx: ActorTransaction, personId: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from encounters e join groups g on g.id = e.group_id
    where e.person_id = ${personId} and g.is_part2_facility and ${mayReadEncounter(tx.groupIds)} limit 1`);
  return rowCount > 0;
}
