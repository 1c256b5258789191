/** What each trigger does to the visit that is being folded. Each returns what became of the fact, for the feed's screen. */
import { EVENT_LABELS, type EventCode, type Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore, isBelieved, minuteOf } from './event-time.ts';
import type { FoldFacility } from './fold-input.ts';
import type { Dated } from './timeline.ts';
import { arrivalCode, DIED, isOtherUnit, STILL_PATIENT, settingOf } from './visit-state.ts';
import {
  type Before,
  credit,
  type Draft,
  gave,
  give,
  inferStart,
  priorSetting,
  reopenClosed,
  type Walk,
} from './visit-walk.ts';

const sameMinute = (a: Moment | null, b: Moment | null): boolean => Boolean(a && b && minuteOf(a) === minuteOf(b));
const SILENT = 'silent update';

/** A01, A04: an arrival. What it is depends on the setting. */
export function arrive(walk: Walk, dated: Dated, before: Before): string {
  const { adt } = dated.fact;
  const setting = settingOf(dated.fact, walk.facility);
  if (adt.trigger === 'A04' && isPreadmit(dated) && walk.phase === 'none') return plan(walk);
  const code = arrivalCode(adt.trigger, setting, walk.facility);
  if (code === null) return register(walk, dated, before, setting);
  return begin(walk, dated, before, code, setting ?? before.setting);
}

/** PV1-2 P: nobody has come yet. */
const isPreadmit = ({ fact }: Dated): boolean => fact.adt.visit?.classCode?.toUpperCase() === 'P';

/** A06: an outpatient or ED patient becomes an inpatient in the same visit. Its class may be stale: the trigger decides. */
export function becomeInpatient(walk: Walk, dated: Dated, before: Before): string {
  const told = settingOf(dated.fact, walk.facility);
  const setting = told === undefined || told === 'EMERGENCY' || told === 'OUTPATIENT' ? 'INPATIENT' : told;
  return begin(walk, dated, before, arrivalCode('A01', setting, walk.facility) ?? 'ADMIT', setting);
}

/** A registration that is no event: an outpatient's visit is over at once, one of unknown class may still become something. */
function register(walk: Walk, dated: Dated, before: Before, setting: Setting | undefined): string {
  if (walk.phase === 'open' || walk.phase === 'left' || walk.phase === 'ended') return update(walk, dated, before);
  if (setting) walk.state.setting = setting;
  walk.state.admittedAt ??= dated.at;
  walk.phase = setting ? 'single' : 'open';
  return setting ? 'a registration, silent at this facility' : 'a registration of unknown class, silent';
}

/** A stay begins, or goes on as another one (ED to inpatient). A repeated arrival says nothing new. */
export function begin(walk: Walk, dated: Dated, before: Before, code: EventCode, setting: Setting): string {
  const { state, start } = walk;
  const isStay = code !== 'VISIT';
  if (!isStay && walk.phase === 'open') return update(walk, dated, before);
  if (isRepeat(walk, dated, before, code, setting)) return 'repeats an arrival that is known';
  reopenClosed(walk, dated);
  const goesOn = walk.phase === 'open' || walk.phase === 'left';
  if (walk.phase === 'ended') {
    Object.assign(state, { dischargedAt: null, disposition: null, dischargedTo: null });
    if (state.deceased) walk.flags.add('DEATH_CONTRADICTED');
    walk.died = null;
  }
  walk.end = null;
  state.setting = setting;
  // What a plan said of the admission does not hold where the arrival was not believed to be then.
  if (!isBelieved(dated.fact, 'admitted') && state.admittedAt && isBefore(dated.at, state.admittedAt)) {
    state.admittedAt = dated.at;
  }
  state.admittedAt ??= dated.at;
  const details = { priorSetting: goesOn ? priorSetting(walk, before) : null, admitSource: state.admitSource };
  if (start?.inferred && start.code === code) {
    const pointOfCare = state.location?.pointOfCare ?? null;
    Object.assign(start, {
      at: dated.at,
      orderedAt: dated.orderedAt,
      setting,
      pointOfCare,
      inferred: false,
      ...details,
    });
    credit(start, dated);
  } else {
    walk.start = give(walk, dated, code, details);
  }
  walk.startedFor = dated.fact.adt.visit?.admittedAt ?? null;
  walk.phase = isStay ? 'open' : 'single';
  return gave(code);
}

function isRepeat(walk: Walk, dated: Dated, before: Before, code: EventCode, setting: Setting): boolean {
  const { start } = walk;
  if (!start || start.inferred || start.code !== code || before.setting !== setting) return false;
  const isGoingOn = (walk.phase === 'open' && !walk.closed) || walk.phase === 'single';
  return isGoingOn || sameMinute(walk.startedFor, dated.fact.adt.visit?.admittedAt ?? null);
}

/** A08, A31 and all that only update: silent, unless the class changes or a discharge is put right. */
export function update(walk: Walk, dated: Dated, before: Before): string {
  const setting = settingOf(dated.fact, walk.facility);
  if (walk.phase === 'none' && isPreadmit(dated)) return plan(walk);
  if (walk.phase === 'planned') return SILENT;
  if (walk.phase === 'ended') return amendEnd(walk, dated);
  return changeSetting(walk, dated, before, setting) ?? SILENT;
}

/** Takes over the setting, where it is known. What happened, or null where that was nothing. */
function changeSetting(walk: Walk, dated: Dated, before: Before, setting: Setting | undefined): string | null {
  if (setting) walk.state.setting = setting;
  const isStay = walk.state.setting !== 'OUTPATIENT' && walk.state.setting !== 'URGENT_CARE';
  if (walk.phase === 'none') walk.phase = isStay ? 'open' : 'single';
  if (walk.phase === 'single') {
    if (!isStay || before.setting === walk.state.setting) return null;
    walk.phase = 'open';
    if (walk.start?.code === 'VISIT') walk.start = null;
  }
  if (inferStart(walk, dated)) return `gave ${EVENT_LABELS[walk.start?.code ?? 'ADMIT']}, inferred from PV1-44`;
  if (priorSetting(walk, before) === null) return null;
  give(walk, dated, 'TRANSFER', { priorSetting: before.setting });
  return gave('TRANSFER');
}

/** A02, A07: a transfer counts where unit, setting or facility change, not from bed to bed. */
export function move(walk: Walk, dated: Dated, before: Before): string {
  const { adt, manualCode } = dated.fact;
  const told = settingOf(dated.fact, walk.facility);
  const setting = adt.trigger === 'A07' && (told === undefined || told === 'INPATIENT') ? 'OUTPATIENT' : told;
  const refused = resume(walk, dated);
  if (refused) return refused;
  if (walk.phase === 'planned') walk.phase = 'open';
  const origin = before.location ?? adt.visit?.priorLocation;
  const changed = changeSetting(walk, dated, before, setting);
  if (changed === gave('TRANSFER') || walk.phase === 'single') return changed ?? SILENT;
  const isMoved = isOtherUnit(origin, adt.visit?.location) || manualCode === 'TRANSFER';
  if (!isMoved) return changed ?? 'a move within the unit, or from an unknown one: silent';
  give(walk, dated, 'TRANSFER');
  return gave('TRANSFER');
}

/** Movements after a real discharge do not undo it; after a mere close they do. */
function resume(walk: Walk, dated: Dated): string | null {
  reopenClosed(walk, dated);
  if (walk.phase !== 'ended' || dated.fact.manualCode) return null;
  walk.flags.add('ACTIVITY_AFTER_DISCHARGE');
  return 'dated after the discharge: no event';
}

const LEAVES_ARE_TOLD = new Set<FoldFacility['facilityType']>(['SNF', 'ALF', 'LTAC', 'REHAB_HOS']);

/** Leaves are events where people live for weeks; in a hospital they are an afternoon. */
const tellsLeaves = ({ groupType, facilityType }: FoldFacility): boolean =>
  groupType === 'SNF' || LEAVES_ARE_TOLD.has(facilityType);

/** A21 and A22, and the same by hand: out on leave, and back. */
export function leaveOrReturn(walk: Walk, dated: Dated, before: Before, code: EventCode): string {
  const refused = resume(walk, dated);
  if (refused) return refused;
  const phase = code === 'MEDICAL_LEAVE_OF_ABSENCE' ? 'left' : 'open';
  if (walk.phase === 'none' || walk.phase === 'planned') walk.phase = 'open';
  const changed = changeSetting(walk, dated, before, settingOf(dated.fact, walk.facility));
  if (phase === 'left' && walk.phase === 'left') return 'repeats a leave that is known';
  if (phase === 'open' && walk.phase === 'open' && hasReturned(walk)) return 'repeats a return that is known';
  walk.phase = phase;
  if (!tellsLeaves(walk.facility) && !dated.fact.manualCode) return changed ?? 'leave: silent at this facility';
  give(walk, dated, code);
  return gave(code);
}

const hasReturned = (walk: Walk): boolean => walk.drafts.at(-1)?.code === 'RESUMED_SERVICES';

/** A05, A14. */
export function plan(walk: Walk): string {
  if (walk.phase !== 'none') return SILENT;
  walk.phase = 'planned';
  return 'a planned visit: silent';
}

/** A03 and the same by hand. A second one without a cancel between puts the first right. */
export function end(walk: Walk, dated: Dated, _before: Before, told: EventCode): string {
  const { state } = walk;
  const { visit, patient } = dated.fact.adt;
  if (visit?.disposition === STILL_PATIENT) {
    walk.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return 'a discharge with disposition 30, still a patient: not discharged';
  }
  reopenClosed(walk, dated);
  const setting = settingOf(dated.fact, walk.facility);
  if (setting) state.setting = setting;
  const hasDied = walk.died !== null && walk.end === null;
  const isDead = told === 'DECEASED' || patient.deceased === true || DIED.has(visit?.disposition ?? '') || hasDied;
  state.dischargedAt = dated.at;
  if (visit?.disposition !== undefined) state.disposition = visit.disposition;
  if (visit?.dischargedTo !== undefined) state.dischargedTo = visit.dischargedTo;
  const isOutpatient = state.setting === 'OUTPATIENT' || state.setting === 'URGENT_CARE';
  if (isOutpatient && !isDead && !dated.fact.manualCode && (walk.phase === 'single' || walk.phase === 'none')) {
    walk.phase = 'single';
    return 'the end of an outpatient visit: silent';
  }
  const known = walk.end ?? (isDead ? walk.died : null);
  const isAmending = known !== null;
  const was = known && detailsOf(known);
  const draft = known ?? give(walk, dated, told === 'DECEASED' && !walk.tellsDeath ? 'DISCHARGE' : told);
  if (isAmending) credit(draft, dated);
  if (walk.end) Object.assign(draft, { at: dated.at, orderedAt: dated.orderedAt });
  Object.assign(draft, { disposition: state.disposition, dischargedTo: state.dischargedTo });
  walk.end = draft;
  walk.phase = 'ended';
  if (isDead) markDead(walk, draft);
  if (!isAmending) return gave(draft.code);
  return detailsOf(draft) === was ? 'repeats a discharge that is known' : `amended ${EVENT_LABELS[draft.code]}`;
}

const detailsOf = ({ code, at, disposition, dischargedTo }: Draft): string =>
  JSON.stringify([code, minuteOf(at), disposition, dischargedTo]);

/** The end was a death, unless the death is an event of its own already: it is told once. */
function markDead(walk: Walk, draft: Draft): void {
  walk.state.deceased = true;
  if (!walk.tellsDeath || (walk.died && walk.died !== draft)) return;
  draft.code = 'DECEASED';
  walk.died = draft;
}

/** An update after the discharge may correct where and when the patient went; only a cancel takes the discharge back. */
function amendEnd(walk: Walk, dated: Dated): string {
  const { state, end: draft } = walk;
  const visit = dated.fact.adt.visit;
  if (!draft || !visit) return SILENT;
  if (visit.disposition === STILL_PATIENT) {
    walk.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return 'disposition 30 after the discharge: not taken over';
  }
  const { disposition = state.disposition, dischargedTo = state.dischargedTo } = visit;
  const told = isBelieved(dated.fact, 'discharged') ? visit.dischargedAt : null;
  const isMoved = told && !sameMinute(told, state.dischargedAt);
  const at = isMoved ? told : draft.at;
  if (!isMoved && disposition === state.disposition && dischargedTo === state.dischargedTo) return SILENT;
  Object.assign(state, { disposition, dischargedTo, dischargedAt: isMoved ? at : state.dischargedAt });
  Object.assign(draft, { disposition, dischargedTo });
  if (isMoved && draft.code !== 'DECEASED') Object.assign(draft, { at, orderedAt: Date.parse(at.instant) });
  if (DIED.has(disposition ?? '')) markDead(walk, draft);
  credit(draft, dated);
  return `amended ${EVENT_LABELS[draft.code]}`;
}

/** CLOSE: an ED visit that was left open ends as unknown. */
export function close(walk: Walk, dated: Dated): string {
  if (walk.phase !== 'open' || (walk.state.setting !== 'EMERGENCY' && !dated.fact.manualCode)) {
    return 'the visit was no longer open in the ED';
  }
  walk.closed = give(walk, dated, 'CLOSED');
  walk.phase = 'ended';
  return gave('CLOSED');
}

/** PID-30. Death is told once a patient (`death.ts`); a message that takes it back only raises a flag. */
export function noteDeath(walk: Walk, dated: Dated): string | null {
  const { state } = walk;
  const { deceased, deceasedAt } = dated.fact.adt.patient;
  if (deceased === undefined) return null;
  if (deceased !== true) {
    if (state.deceased) walk.flags.add('DEATH_CONTRADICTED');
    return null;
  }
  if (deceasedAt) state.deceasedAt = deceasedAt;
  if (state.deceased || walk.phase === 'planned') return null;
  state.deceased = true;
  if (!walk.tellsDeath) return 'the death is told of another visit';
  if (walk.end && deceasedAt && state.dischargedAt && isByDay(deceasedAt, state.dischargedAt)) {
    markDead(walk, walk.end);
    credit(walk.end, dated);
  } else {
    const orderedAt = deceasedAt ? Date.parse(deceasedAt.instant) : dated.orderedAt;
    walk.died = give(walk, dated, 'DECEASED', { at: deceasedAt ?? dated.at, orderedAt });
  }
  return gave('DECEASED');
}

const isByDay = (a: Moment, b: Moment): boolean =>
  a.precision === 'day' || b.precision === 'day' ? a.localDate <= b.localDate : a.instant <= b.instant;
