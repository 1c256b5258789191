/**
 * The events of the stream `GET /api/live?teamId=`: `event:` is the key below, `data:` its JSON. They contain ids only; a page
 * loads the data it shows.
 */
import type { ManagementStatus } from './management-status.ts';

export interface LiveEvents {
  /** Sent on connecting and every 20 seconds, to show that the connection works. */
  alive: { at: string };
  /**
   * A ping of the team arrived, changed or was retracted. `patientId` is the id of its inbox row. 'hidden': a 42 CFR Part 2 facility may no longer
   * disclose it, because a consent or emergency access ended.
   */
  ping: {
    change: 'arrived' | 'status' | 'amended' | 'cancelled' | 'hidden';
    eventIdentifier: string;
    patientId: string;
    status: ManagementStatus;
    /** The status of the row: of all pings of the stay together. */
    stayStatus: ManagementStatus;
    /** Who changed the status; null if the system did. */
    username: string | null;
  };
  counts: { open: number; resolved: number; new: number; needsAction: number };
  /** How many matches the user may review; sent to administrators on connecting, and when they may have changed. `revision` changes with each of them. */
  reviews: { open: number; revision: string };
  /** A stay was given to someone, waits or no longer waits; `patientId` is the id of its inbox row, `version` that of `StayWork`. */
  stay: { patientId: string; version: string };
  /** Someone on the team opened or closed a patient whom someone has open: ask who. The id is the first part of the id of the patient's rows. */
  viewers: { rosterPatientId: string };
  /** Many things changed at once, as when a roster is applied: reload everything. */
  reload: { at: string };
  /**
   * Data of a listed patient changed, possibly without a ping (a facility's own stays), so patient lists may be out of date.
   * Sent once for many changes, without ids.
   */
  rows: { at: string };
  /** Held patients of one of the team's facilities were entered, matched, deleted or admitted, or their hold ran out: load the lists again. */
  held: { at: string };
  /** A roster upload of one of the team's groups reached a new status. */
  roster: { jobId: string; groupId: string; status: string };
  /** Some feed fell silent, was heard again, paused, resumed or removed: ask which facilities the lists don't hear from. */
  feeds: { at: string };
  /** The user's teams or permissions changed: load the current user again. */
  rights: { at: string };
  /** The session ended on the server (signed out, disabled): stop and sign in. */
  ended: { reason: string };
}
export type LiveEvent = { [K in keyof LiveEvents]: { kind: K; data: LiveEvents[K] } }[keyof LiveEvents];
