/** What puts a stored death in doubt, from all that the facility says about the patient. */
import { doubtAbout } from '#server/record/fold/deaths-taken-back.ts';
import type { FoldedVisit } from '#server/record/fold/folded-visit.ts';
import { canceledContents } from '#server/record/fold/outcomes.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { ownerKey } from './dossiers.ts';
import type { Dossier } from './folded-dossier.ts';

type DoubtIn = (visit: FoldedVisit) => Pick<VisitState, 'deathDenied' | 'deathWithdrawn'>;

/** By the id of the source patient: what a visit's state says about the doubt in its death. */
export type DeathDoubts = ReadonlyMap<string, DoubtIn>;

export function deathDoubts(dossiers: readonly Dossier[]): DeathDoubts {
  const doubts = new Map<string, DoubtIn>();
  for (const dossier of dossiers) {
    if (!dossier.visits.some(deathOf)) continue;
    const canceled = canceledContents(dossier);
    for (const { id, groupId, recordNumber } of dossier.patients) {
      const facts = dossier.describedBy.get(ownerKey(groupId, recordNumber)) ?? [];
      doubts.set(id, (visit) => {
        const death = deathOf(visit);
        const doubt = death && doubtAbout(death, facts, canceled);
        return { ...(doubt && { deathDenied: true }), ...(doubt === 'WITHDRAWN' && { deathWithdrawn: true }) };
      });
    }
  }
  return doubts;
}

const deathOf = ({ events }: FoldedVisit) => events.find(({ code }) => code === 'DECEASED');
