/** Applies one fact to the visit under construction: copies its fields, then does what its trigger event means. */
import type { VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import { isCredibleAdmission, noteMove } from './admission-time.ts';
import { arrive, becomeInpatient, beginVisit } from './arrivals.ts';
import { closeVisit, endVisit, noteDeath } from './discharges.ts';
import { applyElsewhere, transfer } from './facility-transfer.ts';
import type { Fact } from './fold-input.ts';
import { followLeave } from './leaves.ts';
import { leaveOrReturn, moveWithinVisit, planVisit, updateVisit } from './movements.ts';
import { created, joinOutcomes, noNewEvent } from './outcomes.ts';
import type { TimelineEntry } from './timeline.ts';
import { emitEvent, isOpenStay, type PreviousState, type VisitDraft } from './visit-draft.ts';
import { endCode, isOtherPayer, settingOf, writeFields } from './visit-state.ts';
import { isAboutIdentifiers, provesVisit } from './visit-triggers.ts';

/** `isExpectationCanceled`: what the fact says about the expected discharge was retracted. */
export function applyFact(visit: VisitDraft, entry: TimelineEntry, isExpectationCanceled: boolean): void {
  const { adt, id } = entry.fact;
  if (entry.fact.elsewhere) {
    applyElsewhere(visit, entry);
    return;
  }
  if (isAboutIdentifiers(adt.trigger)) {
    visit.outcomes.set(id, noNewEvent('identifiers only'));
    return;
  }
  const { setting, location, admittedAt, payers } = visit.state;
  const previous: PreviousState = { setting, location, admittedAt, payer: payers[0] };
  const eventCount = visit.events.length;
  noteMove(visit, entry);
  if (adt.visit) writeFields(visit.state, credibleFields(visit, entry.fact, isExpectationCanceled), entry.at.localDate);
  const outcomes = [applyTrigger(visit, entry, previous)];
  followLeave(visit, entry);
  if (provesVisit(adt.trigger)) visit.isElsewhere = false;
  const deathOutcome = noteDeath(visit, entry);
  if (deathOutcome) outcomes.push(deathOutcome);
  const hasNewEvent = visit.events.length !== eventCount;
  if (!hasNewEvent && isOpenStay(visit) && isOtherPayer(previous.payer, visit.state.payers[0])) {
    emitEvent(visit, entry, 'PAYOR_CHANGE');
    outcomes.push(created('PAYOR_CHANGE'));
  }
  visit.outcomes.set(id, joinOutcomes(outcomes));
}

const NO_EXPECTATION = { expectedDischargeAt: undefined, estimatedDays: undefined };

/** Leaves out an admission time that isn't credible. */
function credibleFields(visit: VisitDraft, fact: Fact, isExpectationCanceled: boolean): VisitFacts {
  const fields = { ...fact.adt.visit, ...(isExpectationCanceled && NO_EXPECTATION) };
  return isCredibleAdmission(visit, fact) ? fields : { ...fields, admittedAt: undefined };
}

function applyTrigger(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  switch (entry.fact.adt.trigger) {
    case 'A01':
    case 'A04':
      return arrive(visit, entry, previous);
    case 'A02':
      return transfer(visit, entry, previous);
    case 'A07':
      return moveWithinVisit(visit, entry, previous);
    case 'A03':
      return endVisit(visit, entry, endCode(visit.facility));
    case 'A05':
    case 'A14':
      return planVisit(visit);
    case 'A06':
      return becomeInpatient(visit, entry, previous);
    case 'A21':
      return leaveOrReturn(visit, entry, previous, 'MEDICAL_LEAVE_OF_ABSENCE');
    case 'A22':
      return leaveOrReturn(visit, entry, previous, 'RESUMED_SERVICES');
    case 'CLOSE':
      return closeVisit(visit, entry);
    case 'MANUAL':
      return applyManualEntry(visit, entry, previous);
    default:
      return updateVisit(visit, entry, previous);
  }
}

function applyManualEntry(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const code = entry.fact.manualCode;
  switch (code) {
    case 'ADMIT':
    case 'PRESENTED':
    case 'VISIT':
    case 'STARTED_HHA_SERVICES':
      return beginVisit(visit, entry, previous, code, settingOf(entry.fact, visit.facility) ?? previous.setting);
    case 'DISCHARGE':
    case 'DECEASED':
    case 'ENDED_SERVICES':
    case 'ENDED_HHA_SERVICES':
      return endVisit(visit, entry, code);
    case 'TRANSFER':
      return moveWithinVisit(visit, entry, previous);
    case 'MEDICAL_LEAVE_OF_ABSENCE':
    case 'RESUMED_SERVICES':
      return leaveOrReturn(visit, entry, previous, code);
    case 'CLOSED':
      return closeVisit(visit, entry);
    case 'PAYOR_CHANGE':
      emitEvent(visit, entry, code);
      return created(code);
    default:
      return noNewEvent('manual entry without an event');
  }
}
