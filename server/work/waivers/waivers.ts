/** The three-day waiver of a stay at a skilled nursing facility: its status, and who set it when (docs/decisions/0058). */
import { DAY } from '#contract/durations.ts';
import type { WaiverRule } from '#contract/waiver-conditions.ts';
import type { ThreeDayWaiver, WaiverChange } from '#contract/waivers.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { eligibilityOf, type WaiverQuestion } from '#server/record/rules/waiver-eligibility.ts';
import { facilitiesOf, visitsOf } from '#server/work/patients/queries.ts';
import { ruleVisitOf } from '#server/work/patients/rule-visit-of.ts';
import { type WaiverRow, waiversOf } from '#server/work/patients/three-day-waiver.ts';
import { addWaiver, lockWaiver } from './queries.ts';

/** Which stay of which patient. */
export interface StayIds {
  patientId: string;
  encounterId: string;
}

/** Longer than any condition looks back. */
const LOOK_BACK = 400 * DAY;

/** Returns the waiver of a stay with the check under `rule`, by default the one of the last change, or MSSP. Errors: NOT_FOUND. */
export async function getWaiver(
  tx: ActorTransaction,
  ids: StayIds,
  rule: WaiverRule | undefined,
  now: Date,
): Promise<ThreeDayWaiver> {
  const stay = await stayOf(tx, ids, now);
  return waiverOf(await waiversOf(tx, [ids.encounterId]), stay, rule);
}

/**
 * Sets the status of a stay's waiver, which everyone who may read the stay sees. Errors: NOT_FOUND; BAD_REQUEST for a stay elsewhere than at a
 * skilled nursing facility; CHANGED_BY_OTHER if there are more changes than the user saw.
 */
export async function setWaiver(
  tx: ActorTransaction,
  ids: StayIds,
  change: WaiverChange,
  { now, requestId }: CallStamp,
): Promise<ThreeDayWaiver> {
  const stay = await stayOf(tx, ids, now);
  if (stay.stay.setting !== 'SNF' || stay.stay.status === 'CANCELLED') {
    const message = 'Only a stay at a skilled nursing facility can have a three-day waiver. Nothing was changed.';
    throw new ApiError('BAD_REQUEST', { message });
  }
  const { encounterId } = ids;
  await lockWaiver(tx, encounterId);
  const before = await waiversOf(tx, [encounterId]);
  const [last] = before;
  if (change.expected !== undefined && change.expected !== before.length)
    throw new ApiError('CHANGED_BY_OTHER', {
      standing: { version: String(before.length), last: last ? { name: last.username, date: last.date } : null },
    });
  const rule = change.rule ?? last?.rule ?? 'MSSP';
  const confirmed = [...new Set(change.confirmed ?? last?.confirmed ?? [])];
  await addWaiver(tx, { encounterId, status: change.status, rule, confirmed }, stay.groupId, now);
  await noteChange(tx);
  const { rosterPatientId: subjectId } = stay;
  const detail = { encounterId, status: change.status, before: last?.status ?? 'NA', rule, confirmed };
  await writeAudit(tx, { action: 'waiver.change', subject: 'patient', subjectId, detail, now, requestId });
  return waiverOf(await waiversOf(tx, [encounterId]), stay, undefined);
}

type Stay = Omit<WaiverQuestion, 'rule' | 'confirmed'> & { groupId: string; rosterPatientId: string };

/** Returns the stay with what else the actor may see of the person, and the group that the actor sees it for. */
async function stayOf(tx: ActorTransaction, { patientId, encounterId }: StayIds, now: Date): Promise<Stay> {
  const { personId, rosterPatientId, groupIds } = await resolvePatient(tx, patientId);
  const visits = await visitsOf(tx, [personId], [encounterId], new Date(now.getTime() - LOOK_BACK));
  const facilities = await facilitiesOf(tx, [...new Set(visits.map(({ groupId }) => groupId))]);
  const row = visits.find(({ id }) => id === encounterId);
  const facility = row && facilities.get(row.groupId);
  const [first] = groupIds;
  if (!facility || first === undefined) throw new ApiError('NOT_FOUND');
  const counted = visits.map((visit) => ruleVisitOf(visit, facilities));
  const stay = counted.find(({ id }) => id === encounterId);
  if (!stay) throw new ApiError('NOT_FOUND');
  const groupId = groupIds.find((id) => id === facility.id) ?? first;
  const nameOf = (id: string) => facilities.get(id)?.name ?? '';
  return { stay, visits: counted, nameOf, timeZone: facility.timeZone, now: now.getTime(), groupId, rosterPatientId };
}

function waiverOf(rows: readonly WaiverRow[], question: Stay, asked: WaiverRule | undefined): ThreeDayWaiver {
  const [last] = rows;
  const confirmed = last?.confirmed ?? [];
  const rule = asked ?? last?.rule ?? 'MSSP';
  return {
    status: last?.status ?? 'NA',
    rule,
    confirmed: confirmed as ThreeDayWaiver['confirmed'],
    history: rows.map(({ status, username, date }) => ({ status, username, date })),
    eligibility: eligibilityOf({ ...question, rule, confirmed: new Set(confirmed) }),
  };
}
