/** The ADT trigger events (HL7 v2.5.1 chapter 3), grouped by what they do to a visit. */

/** Begin a visit. */
export const STARTS: ReadonlySet<string> = new Set(['A01', 'A04', 'A06']);

/** Announce a visit: pre-admission, pending admission. */
export const PLANS: ReadonlySet<string> = new Set(['A05', 'A14']);

const PROOFS: ReadonlySet<string> = new Set([
  'A01',
  'A02',
  'A03',
  'A04',
  'A05',
  'A06',
  'A07',
  'A14',
  'A21',
  'A22',
  'MANUAL',
]);
/** Whether there is a visit after this trigger, whatever was canceled before it. An A08 proves nothing: canceled visits get it too. */
export const provesVisit = (trigger: string): boolean => PROOFS.has(trigger);

const SNAPSHOTS: ReadonlySet<string> = new Set(['A08', 'A31']);
/** Whether the trigger repeats what the sender knows of a visit now: it may correct its beginning, its end and its class. */
export const isSnapshot = (trigger: string): boolean => SNAPSHOTS.has(trigger);

/** Merge two record numbers: PID-3 survives, MRG-1 does not. A43 merges them if they differ. */
export const RECORD_MERGES: ReadonlySet<string> = new Set('A18 A30 A34 A36 A39 A40 A43 A47'.split(' '));
/** Give an account another number (A49) or another patient: MRG-3 (of MRG-1) becomes PID-18 (of PID-3). */
export const ACCOUNT_MOVES: ReadonlySet<string> = new Set(['A35', 'A36', 'A41', 'A44', 'A49']);
/** Give a visit another number or another patient: MRG-5 (of MRG-1) becomes PV1-19 (of PID-3). */
export const VISIT_MOVES: ReadonlySet<string> = new Set(['A42', 'A45', 'A50']);
/** A class change may bring a new visit or account number, but never another patient. */
export const CLASS_CHANGES: ReadonlySet<string> = new Set(['A06', 'A07']);

/**
 * Are about the person or about identifiers: they never start a visit. Some of them aren't acted on today (`supported-triggers.ts`); they are
 * named so that they would not start one either.
 */
export const NEVER_A_VISIT: ReadonlySet<string> = new Set([
  ...RECORD_MERGES,
  ...ACCOUNT_MOVES,
  ...VISIT_MOVES,
  ...'A17 A20 A24 A28 A29 A31 A37 A46 A48 A51 A60 CLOSE CORRECT LINK DOCUMENT'.split(' '),
]);

const MAY_MENTION_A_VISIT: ReadonlySet<string> = new Set(['A17', 'A29', 'A31', 'CLOSE']);
/** Whether the trigger says nothing about any visit, not even about a known one. */
export const isAboutIdentifiers = (trigger: string): boolean =>
  NEVER_A_VISIT.has(trigger) && !MAY_MENTION_A_VISIT.has(trigger);

/** What a cancel retracts. */
export interface CancelRule {
  targets: readonly string[];
  /** Tried if no target is left. */
  fallback?: readonly string[];
  /**
   * Senders often repeat a message, such as a corrected discharge, without a cancel in between. The cancel then retracts all of them,
   * back to the first of these triggers. Without `backTo` only exact repeats are retracted with the target.
   */
  backTo?: readonly string[];
}

export const CANCELS: Readonly<Record<string, CancelRule>> = {
  A11: { targets: ['A01', 'A04', 'A06'], fallback: ['A05', 'A14'], backTo: ['A03'] },
  A12: { targets: ['A02'] },
  A13: { targets: ['A03'], backTo: ['A01', 'A04', 'A06'] },
  A25: { targets: ['A16'], backTo: [] },
  A26: { targets: ['A15'], backTo: [] },
  A27: { targets: ['A14'], fallback: ['A05'], backTo: [] },
  A32: { targets: ['A10'] },
  A33: { targets: ['A09'] },
  A38: { targets: ['A05'], fallback: ['A14'], backTo: [] },
  A52: { targets: ['A21'], backTo: ['A22'] },
  A53: { targets: ['A22'], backTo: ['A21'] },
  A55: { targets: ['A54'] },
};

/** Retract the visit (A23) or all visits of the patient (A29). */
export const DELETES: ReadonlySet<string> = new Set(['A23', 'A29']);

/** Staff deleted manual entries, which the fact names (`AdtFacts.retracts`). */
export const RETRACT = 'RETRACT';

/** Retract the visit, unless a later trigger proves that there is one. */
export const RETRACTIONS: ReadonlySet<string> = new Set(['A11', 'A23', 'A27', 'A29', 'A38', RETRACT]);

/** A facility answered a link (`link-reports.ts`), or the team took such an answer back. */
export const LINK = 'LINK';

export const isCancel = (trigger: string): boolean => trigger in CANCELS || DELETES.has(trigger) || trigger === RETRACT;

/** Whether the fact came with a document. It is about the person, and weaker than any message about the person. */
export const isOfDocument = (trigger: string): boolean => trigger === 'DOCUMENT';

/** Whether staff, a job of ours or someone with a link wrote the fact. */
export const isOurs = (trigger: string): boolean => OURS.has(trigger);
const OURS: ReadonlySet<string> = new Set(['MANUAL', 'CLOSE', 'CORRECT', RETRACT, LINK]);
