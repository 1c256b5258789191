/**
 * What a visit is folded from. A fact is immutable and keeps no time of arrival: the same set of facts, in whatever order
 * it came in, makes the same visits.
 */
import type { EventCode } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';

/**
 * `adt.trigger` is an HL7 trigger ('A01' …) or one of ours: 'MANUAL' (a person entered the event `manualCode`), 'CLOSE'
 * (a job ended an emergency visit that was left open).
 */
export interface Fact {
  id: string;
  adt: AdtFacts;
  manualCode?: EventCode;
  /** Of the same stay at another facility of the feed, this one: it only says where the patient is (`same-stay.ts`). */
  elsewhere?: FoldFacility;
}

/** The facility whose visits are folded: its type decides how a trigger reads (an A01 of a nursing facility is a SNF stay). */
export interface FoldFacility {
  groupType: GroupType;
  facilityType: FacilityType;
  /** A registration (A04) of an outpatient is a VISIT; otherwise it is silent. */
  registrationIsVisit: boolean;
}
