import { createHash } from 'node:crypto';
import { sortKey } from '#server/platform/text/sort-key.ts';

/** What rosters name without an id. */
export type DerivedKind =
  | 'PROGRAM'
  | 'HL7_PROGRAM'
  | 'PRACTICE'
  | 'OWNING_ORG'
  | 'PROVIDER'
  | 'CARE_COORDINATOR'
  | 'INSURANCE';

/**
 * Returns the id of something that rosters only name: the same for the same name, in any case, accents and spacing, within an organization
 * (docs/decisions/0056).
 */
export const derivedId = (kind: DerivedKind, organizationId: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, organizationId, sortKey(name) || name]))
    .digest('hex')
    .slice(0, 16);
