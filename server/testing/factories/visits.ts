import type { EventCode, EventState } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { EventDetail } from '#server/record/encounters/queries.ts';
import { emptyState, type VisitState } from '#server/record/fold/visit-state.ts';
import { type Columns, insert, next } from './insert.ts';
import type { peopleFactories } from './people.ts';

/** Returns an instant as feeds send it, to the minute, for a facility in UTC. */
export const momentOf = (at: Date): Moment => ({
  instant: at.toISOString(),
  localDate: at.toISOString().slice(0, 10),
  precision: 'minute',
});

const NO_DETAIL: EventDetail = {
  priorSetting: null,
  pointOfCare: null,
  disposition: null,
  dischargedTo: null,
  admitSource: null,
  payer: null,
  inferred: false,
  factIds: [],
  backfill: false,
};

/** Encounters and their events. */
export function visitFactories(
  db: Queryable,
  now: Clock,
  { sourcePatient }: Pick<ReturnType<typeof peopleFactories>, 'sourcePatient'>,
) {
  /** `visit`: the folded visit; the default is an open inpatient stay that begins now. */
  async function encounter(
    over: { groupId?: string; personId?: string; sourcePatientId?: string; visit?: Partial<VisitState> } & Columns = {},
  ) {
    const { groupId, personId, sourcePatientId, visit, ...columns } = over;
    const from = { ...(groupId ? { groupId } : {}), ...(personId ? { personId } : {}) };
    const source =
      sourcePatientId && groupId && personId ? { id: sourcePatientId, groupId, personId } : await sourcePatient(from);
    const state = { ...emptyState(), setting: 'INPATIENT' as const, admittedAt: momentOf(now()), ...visit };
    const kept = { ...state, flags: [], visitNumbers: [], accountNumbers: [] };
    const row = {
      group_id: source.groupId,
      source_patient_id: source.id,
      person_id: source.personId,
      status: state.status,
      setting: state.setting,
      admitted_at: state.admittedAt?.instant ?? null,
      admitted_precision: state.admittedAt?.precision ?? null,
      discharged_at: state.dischargedAt?.instant ?? null,
      discharged_precision: state.dischargedAt?.precision ?? null,
      state: JSON.stringify(kept),
      created_at: now(),
      updated_at: now(),
      ...columns,
    };
    const id = await insert(db, 'encounters', row);
    return { groupId: source.groupId, personId: source.personId, sourcePatientId: source.id, state, id };
  }

  async function event(
    over: {
      encounterId?: string;
      code?: EventCode;
      state?: EventState;
      at?: Date;
      detail?: Partial<EventDetail>;
    } & Columns = {},
  ) {
    const { encounterId = (await encounter()).id, code = 'ADMIT', state = 'ACTIVE', at = now(), ...more } = over;
    const { detail, ...columns } = more;
    const { instant, localDate, precision } = momentOf(at);
    const when = { event_at: instant, event_precision: precision, event_day: localDate, received_at: now() };
    const what = { encounter_id: encounterId, key: `${code}-${next()}`, code, state, setting: 'INPATIENT' };
    const row = { ...what, ...when, detail: JSON.stringify({ ...NO_DETAIL, ...detail }), is_manual: false, ...columns };
    return { encounterId, code, state, at, id: await insert(db, 'events', row) };
  }

  return { encounter, event };
}
