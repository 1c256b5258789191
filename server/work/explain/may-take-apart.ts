import type { ActorTransaction } from '#server/people/access/door.ts';
import { evidenceOfVisit, type LinkRow } from './queries.ts';

/** Whether the matcher joined the visit's record and the listing, and the actor may decide about the record. In a transaction for canManageUsers. */
export const mayTakeApart = async (
  tx: ActorTransaction,
  { encounterId, link }: { encounterId: string; link: LinkRow | null },
): Promise<boolean> => link?.outcome === 'matched' && (await evidenceOfVisit(tx, encounterId)) !== null;
