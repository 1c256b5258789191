import type { EventState } from '#contract/event-codes.ts';
import type { ManagementStatus } from '#contract/management-status.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { directoryFactories } from './directory.ts';
import { type Columns, insert } from './insert.ts';
import type { peopleFactories } from './people.ts';
import type { visitFactories } from './visits.ts';

type Others = Pick<ReturnType<typeof directoryFactories>, 'group'> &
  Pick<ReturnType<typeof peopleFactories>, 'rosterPatient'> &
  ReturnType<typeof visitFactories>;

export function pingFactories(db: Queryable, now: Clock, { group, rosterPatient, encounter, event }: Others) {
  /** Creates a ping of a group about an encounter of a person that the group lists. */
  async function ping(
    over: {
      groupId?: string;
      encounter?: { id: string; personId: string };
      eventId?: string;
      rosterPatientId?: string;
      status?: ManagementStatus;
      state?: EventState;
    } & Columns = {},
  ) {
    const { groupId = (await group()).id, encounter: of = await encounter(), status = 'NEW', ...more } = over;
    const {
      eventId = (await event({ encounterId: of.id })).id,
      rosterPatientId: listing,
      state = 'ACTIVE',
      ...columns
    } = more;
    const rosterPatientId = listing ?? (await rosterPatient({ groupId, personId: of.personId })).id;
    const keys = { event_id: eventId, group_id: groupId, roster_patient_id: rosterPatientId };
    const about = { encounter_id: of.id, event_at: now(), state, created_at: now() };
    const row = { ...keys, ...about, management_status: status, is_current: true, is_late: false, ...columns };
    const id = await insert(db, 'pings', row);
    return {
      groupId,
      eventId,
      encounterId: of.id,
      personId: of.personId,
      rosterPatientId,
      patientId: `${rosterPatientId}_${of.id}`,
      id,
    };
  }

  return { ping };
}
