/**
 * What the fold reads. A fact is immutable and doesn't record when it arrived, so the same set of facts gives the same visits in any
 * order of arrival.
 */
import type { EventCode } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';

/**
 * What one message says about one patient. `adt.trigger` is an HL7 trigger event ('A01' …) or one of ours: 'MANUAL' (staff entered the
 * event `manualCode`), 'RETRACT' (staff deleted entries), 'CORRECT' (staff corrected who the patient is), 'DOCUMENT' (a document names the
 * patient), 'CLOSE' (a job closed an ED visit that was left open) or 'LINK' (someone at the facility answered a link: `link-reports.ts`).
 */
export interface Fact {
  id: string;
  adt: AdtFacts;
  manualCode?: EventCode;
  /** The feed, if it sent for several facilities. A record number with an authority then means the same patient at all of them. */
  sharedFeedId?: string | undefined;
  /** Set when the fact is from another facility of the feed: it only says where the patient is (`shared-stays.ts`). */
  elsewhere?: FoldFacility;
  /** Set when another facility of the feed sent it about a patient whom both know: it is about no visit here (`shared-numbers.ts`). */
  sentElsewhere?: true;
}

/** The facility whose visits are folded. Its type decides what a trigger means: an A01 from a nursing facility is a SNF stay. */
export interface FoldFacility {
  id: string;
  groupType: GroupType;
  facilityType: FacilityType;
  /** Whether registering an outpatient (A04) creates a VISIT event. */
  registrationIsVisit: boolean;
  /** 42 CFR Part 2: what it reports about a patient is not passed on to other facilities. */
  isPart2?: boolean;
}

/**
 * What one facility has sent about the patients of a dossier, with one record number per patient (`separatePatients`), and what other
 * facilities of its feed have sent about the same patients (`shared-numbers.ts`).
 */
export interface FacilityFacts {
  groupId: string;
  facility: FoldFacility;
  facts: readonly Fact[];
}
