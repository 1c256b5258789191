/**
 * What the event stream `GET /api/live?teamId=` sends. Ids only: the page asks for what it shows.
 * `event:` is the kind below, `data:` its JSON.
 */
import type { ManagementStatus } from './management-status.ts';

export interface LiveEvents {
  /** Right after connecting, and every 20 seconds: the connection stands. */
  alive: { at: string };
  /** A ping of the team came, changed or was retracted. `patientId` is the id of its row in the inbox. */
  ping: {
    change: 'arrived' | 'status' | 'amended' | 'cancelled';
    eventIdentifier: string;
    patientId: string;
    status: ManagementStatus;
    /** Who changed the status; null where the system did. */
    username: string | null;
  };
  counts: { open: number; resolved: number; new: number };
  /** Many things changed at once (a roster was applied): ask again for everything. */
  reload: { at: string };
  /**
   * Something changed of a patient whom the team lists, also where no ping tells of it (a facility's own stays): what a list of patients
   * shows may be another. Once a while, and without ids.
   */
  rows: { at: string };
  /** A roster upload of a group of the team went on. */
  roster: { jobId: string; groupId: string; status: string };
  /** The session ended on the server (signed out, disabled): stop and sign in. */
  ended: { reason: string };
}
export type LiveEvent = { [K in keyof LiveEvents]: { kind: K; data: LiveEvents[K] } }[keyof LiveEvents];
