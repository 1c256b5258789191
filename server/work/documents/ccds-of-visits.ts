/** Which clinical document stands for a visit, for the field ccdUuid. */
import type { ActorTransaction } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { clinicalAmong, seesDischargeSummaries } from './discharge.ts';
import { documentRows } from './queries.ts';

/** Encounter id → uuid of the newest clinical document that the user may open, one that can be read if there is any. None without canViewCcds. */
export async function ccdsOfVisits(
  tx: ActorTransaction,
  personId: string,
  patientId: string,
): Promise<Map<string, string>> {
  const groupIds = tx.groupIds.filter((groupId) => tx.actor.permissions.get(groupId)?.has('canViewCcds'));
  if (groupIds.length === 0) return new Map();
  const rows = await documentRows({ ...tx, groupIds }, sql`d.person_id = ${personId} and d.kind = 'CCDA'`);
  const seesSummaries =
    rows.some(({ isDischargeSummary }) => isDischargeSummary) &&
    (await seesDischargeSummaries(tx, patientId.split('_')[0] ?? ''));
  const shown = rows.filter(({ isDischargeSummary }) => seesSummaries || !isDischargeSummary);
  return new Map(
    [...Map.groupBy(shown, ({ encounterId }) => encounterId)].flatMap(([encounterId, own]) => {
      const uuid = clinicalAmong(own)?.uuid;
      return encounterId === null || uuid === undefined ? [] : [[encounterId, uuid] as const];
    }),
  );
}
