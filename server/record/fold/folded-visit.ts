/** What the fold returns: visits with their state, events and flags. */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { VisitGroup } from './visit-grouping.ts';
import type { VisitState } from './visit-state.ts';

export interface LinkOrigin {
  /** As typed: no one has verified it. */
  name: string;
  /** Whose link it was. */
  organization?: string | undefined;
  date: string;
}

/** Something that happened during a visit: one of the thirteen event codes. */
export interface FoldedEvent {
  /** Code, minute (or day) and a number among equals. Unique within its visit, and the same whenever the same content is folded. */
  key: string;
  code: EventCode;
  at: Moment;
  setting: Setting;
  /** The setting within the visit that the patient came from; null if unknown or unchanged. */
  priorSetting: Setting | null;
  pointOfCare: string | null;
  /** For an event that ends the visit: disposition and destination. */
  disposition: string | null;
  dischargedTo: string | null;
  transferredTo?: string | undefined;
  /** For an event that begins the visit: PV1-14. */
  admitSource: string | null;
  payer: string | null;
  /** No message reported it; it follows from the PV1-44 of another message. */
  inferred: boolean;
  /** Entered by staff. */
  isManual: boolean;
  /** Someone at the facility reported it, or where the patient went, by a link: their name, and when (ISO 8601). */
  reportedByLink?: LinkOrigin | undefined;
  /** The facts that created or updated it. */
  factIds: string[];
}

export type VisitFlag =
  | 'ADMISSION_UNKNOWN'
  | 'SETTING_UNKNOWN'
  | 'DISCHARGE_WITH_STILL_PATIENT'
  | 'ACTIVITY_AFTER_DISCHARGE'
  | 'DEATH_CONTRADICTED'
  | 'CANCEL_WITHOUT_TARGET'
  /** A message contained a time later than the message itself. */
  | 'TIME_NOT_BELIEVED';

/** The facts of one visit, folded. */
export interface VisitFold {
  state: VisitState;
  /** In the order in which they happened. */
  events: FoldedEvent[];
  flags: VisitFlag[];
  /** Fact id → what became of it, in words for the feed's screen, without patient data (`outcomes.ts`). */
  outcomes: Map<string, string>;
  /** The content hashes of the facts whose report of the patient's death was canceled or corrected. */
  deathsTakenBack: ReadonlySet<string>;
}

export interface FoldedVisit extends VisitFold, Omit<VisitGroup, 'facts'> {
  /** All facts of the visit, including those that created no event. A stored encounter is found again by these. */
  factIds: string[];
}

export type FacilityVisit = FoldedVisit & { groupId: string };
