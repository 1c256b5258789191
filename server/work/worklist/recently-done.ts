/** What a user did on a team lately, and how it is taken back. */
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { DoneItem, DonePage, UndoOf } from '#contract/worklist.ts';
import { DONE_PAGE, DONE_WITHIN } from '#contract/worklist-words.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { changeStatuses } from '#server/record/pings/change-status.ts';
import type { Arrangement } from './arrangement.ts';
import { shownChange } from './queries.ts';
import { undoWork } from './stay-work.ts';

/** Who a row of the list is about. */
interface Subject {
  patientId: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  memberId: string | null;
  facilityName: string;
  date: string;
}

/** The oldest listing of a person in the transaction's groups gives the patient id and the name, as in lists. */
const subjectOf = (tx: ActorTransaction) => sql`
  lateral (
    select r.id || '_' || done.encounter_id as "patientId", r.first_name as "firstName", r.last_name as "lastName", r.date_of_birth as "dateOfBirth",
      case when r.group_id = any (${tx.actor.groupsWith('canViewAllPatientDetails')}::bigint[]) then r.member_id end as "memberId",
      (select g.name from encounters e join groups g on g.id = e.group_id where e.id = done.encounter_id) as "facilityName"
    from roster_patients r where r.person_id = done.person_id and ${mayReadListing(tx.groupIds)} order by r.id limit 1) subject`;

/** From when, before when, and how much: more only if it has the time of the last. */
interface Span {
  since: Date;
  before: Date;
  limit: number;
}

/**
 * Returns what the user did in the last two days, newest first, from before a given time on. What one call changed has one time and stays on one
 * page, which may be longer for it.
 */
export async function recentlyDone(tx: ActorTransaction, now: Date, before?: string): Promise<DonePage> {
  const since = new Date(now.getTime() - DONE_WITHIN);
  const doneBefore = async (until: Date, limit: number): Promise<DoneItem[]> => {
    const span = { since, before: until, limit };
    const [statuses, work] = [await doneStatuses(tx, span), await doneWork(tx, span)];
    return [...statuses, ...work].toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
  };
  // What is done in this millisecond counts.
  const found = await doneBefore(before === undefined ? new Date(now.getTime() + 1) : new Date(before), DONE_PAGE);
  const last = found[DONE_PAGE - 1]?.date;
  if (last === undefined) return { items: found, before: null };
  const items = found.filter(({ date }) => Date.parse(date) >= Date.parse(last));
  const hasMore = items.length < found.length || (await doneBefore(new Date(last), 1)).length > 0;
  return { items, before: hasMore ? last : null };
}

type StatusRow = Subject & { status: ManagementStatus; statusIds: string[]; isCurrent: boolean; isUndoable: boolean };

/** The statuses of a stay that one call set are one row. */
async function doneStatuses(tx: ActorTransaction, { since, before, limit }: Span): Promise<DoneItem[]> {
  const { rows } = await tx.query<StatusRow>(sql`
    select subject.*, done.changed_at as date, done.status, done."statusIds", done."isCurrent", done."isUndoable"
    from (
      select s.changed_at, p.encounter_id, listed.person_id, s.status, array_agg(distinct s.id::text) as "statusIds",
        bool_and(p.status_id = s.id) as "isCurrent",
        bool_and(not coalesce('SYSTEM_RESOLVED' = any (before.resolutions), false)) as "isUndoable"
      from management_statuses s
        join pings p on p.id = any (s.ping_ids) and p.group_id = any (${tx.groupIds}::bigint[]) and ${mayReadPing}
        join roster_patients listed on listed.id = p.roster_patient_id
        left join lateral (
          select b.resolutions from management_statuses b
          where b.event_id = s.event_id and b.ping_ids && s.ping_ids and b.id < s.id order by b.id desc limit 1) before on true
      where s.user_id = ${tx.actor.userId} and s.changed_at >= ${since} and s.changed_at < ${before}
      group by s.changed_at, p.encounter_id, listed.person_id, s.status) done
    cross join ${subjectOf(tx)}
    order by done.changed_at desc fetch first (${limit}) rows with ties`);
  return rows.map(({ status, statusIds, isCurrent, isUndoable, ...subject }) => ({
    ...subject,
    status: { status, pings: statusIds.length },
    work: null,
    undo: isCurrent && isUndoable ? { kind: 'status', patientId: subject.patientId, statusIds } : null,
  }));
}

type WorkRow = Subject & Parameters<typeof shownChange>[0] & { isCurrent: boolean };

async function doneWork(tx: ActorTransaction, { since, before, limit }: Span): Promise<DoneItem[]> {
  const { rows } = await tx.query<WorkRow>(sql`
    select subject.*, done.*
    from (
      select c.id, c.kind, c.before, c.after, c.display_name as by, c.changed_at as date, w.encounter_id, e.person_id,
        w.change_id = c.id as "isCurrent"
      from stay_work_changes c join stay_work w on w.id = c.stay_work_id join encounters e on e.id = w.encounter_id
      where c.user_id = ${tx.actor.userId} and c.changed_at >= ${since} and c.changed_at < ${before} and w.team_id = ${tx.actor.teamId}) done
    cross join ${subjectOf(tx)}
    order by done.date desc fetch first (${limit}) rows with ties`);
  return rows.map((row) => {
    const { id, patientId, firstName, lastName, dateOfBirth, memberId, facilityName, date, isCurrent } = row;
    const undo = isCurrent ? { kind: 'work' as const, patientId, changeId: id } : null;
    const subject = { patientId, firstName, lastName, dateOfBirth, memberId, facilityName };
    return { ...subject, date, status: null, work: shownChange(row), undo };
  });
}

/** Takes back a change of the user's. Errors: NOT_FOUND; CHANGED_BY_OTHER or PING_CHANGED_BY_OTHER if someone has changed it since. */
export async function undoDone(tx: ActorTransaction, undo: UndoOf, change: CallStamp): Promise<void> {
  if (undo.kind === 'status') await undoStatuses(tx, undo, change);
  else await undoWork(tx, undo, await arrangedBefore(tx, undo.changeId), change);
}

async function arrangedBefore(tx: ActorTransaction, changeId: string): Promise<Arrangement> {
  const { rows } = await tx.query<{ before: Arrangement }>(sql`
    select before from stay_work_changes where id = ${changeId} and user_id = ${tx.actor.userId}`);
  if (!rows[0]) throw new ApiError('NOT_FOUND');
  return rows[0].before;
}

interface StatusBefore {
  id: string;
  eventId: string;
  status: ManagementStatus;
  resolutions: Resolution[];
  otherText: string | null;
}

/** Pings that had the same status before change together. */
async function undoStatuses(
  tx: ActorTransaction,
  { patientId, statusIds }: Extract<UndoOf, { kind: 'status' }>,
  { now, requestId }: CallStamp,
): Promise<void> {
  const { rows } = await tx.query<StatusBefore>(sql`
    select s.id, s.event_id as "eventId", coalesce(before.status, 'NEW') as status,
      coalesce(before.resolutions, '{}') as resolutions, before.other_text as "otherText"
    from management_statuses s left join lateral (
      select b.status, b.resolutions, b.other_text from management_statuses b
      where b.event_id = s.event_id and b.ping_ids && s.ping_ids and b.id < s.id order by b.id desc limit 1) before on true
    where s.id = any (${statusIds}::bigint[]) and s.user_id = ${tx.actor.userId}
    order by s.event_id`);
  if (rows.length < new Set(statusIds).size) throw new ApiError('NOT_FOUND');
  const alike = ({ status, resolutions, otherText }: StatusBefore) => JSON.stringify([status, resolutions, otherText]);
  for (const same of Map.groupBy(rows, alike).values()) {
    const { status, resolutions, otherText } = same[0] as StatusBefore;
    const eventIdentifiers = same.map(({ eventId }) => eventId);
    const expectedStatusIds = same.map(({ id }) => id);
    await changeStatuses(
      tx,
      { patientId, status, resolutions, otherText, eventIdentifiers, expectedStatusIds },
      now,
      requestId,
    );
  }
}
