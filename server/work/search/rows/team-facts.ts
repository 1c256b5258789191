/** What a team has noted about its patients. */
import type { ContactChannel, ContactOutcome } from '#contract/contact-words.ts';

/** A tag that the scope's team has given to a patient. */
export interface TagFacts {
  personId: string;
  /** Whose listing has the tag. */
  groupId: string;
  name: string;
}

/** An attempt of the scope's team to reach a person. */
export interface AttemptFacts {
  personId: string;
  /** Milliseconds since 1970. */
  at: number;
  channel: ContactChannel;
  outcome: ContactOutcome;
}

/** What the scope's team has arranged about a visit. */
export interface WorkFacts {
  encounterId: string;
  ownerId: string | null;
  /** When a wait ends at the latest, as an instant; null if it ends with an event only. */
  wakesAt: string | null;
  /** The events that don't end the wait; null if there is none. */
  seen: string[] | null;
}
