/**
 * Facts of one dossier → visits with state and events. No clock, no order of arrival: the same set of facts gives the
 * same result. Stage one (`visits.ts`) tells the visits apart, stage two (`foldVisit`) folds each.
 */
import type { EventCode } from '#contract/event-codes.ts';
import type { VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import { echoesOfPending, pairCancels, type Strikes } from './cancels.ts';
import { deathsToldElsewhere } from './death.ts';
import { isBefore, isBelieved } from './event-time.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { isOfStayElsewhere, noteElsewhere, transfer } from './hand-over.ts';
import { cancelOutcome, struckOutcome } from './outcomes.ts';
import { byAuthority } from './record-authorities.ts';
import { elsewhereOf, type PlacedGroup } from './same-stay.ts';
import { type Dated, timelineOf, withoutRepeats } from './timeline.ts';
import {
  arrive,
  becomeInpatient,
  begin,
  close,
  end,
  leaveOrReturn,
  move,
  noteDeath,
  plan,
  update,
} from './transitions.ts';
import { isOtherPayer, settingOf, type VisitState, type VisitStatus, writeFields } from './visit-state.ts';
import { isAboutIdentifiers, isCancel } from './visit-triggers.ts';
import {
  type Before,
  beginWalk,
  type FoldedEvent,
  finishEvents,
  gave,
  give,
  type VisitFlag,
  type Walk,
} from './visit-walk.ts';
import { assembleVisits, type VisitFactsGroup } from './visits.ts';

export interface VisitFold {
  state: VisitState;
  /** In the order in which they happened. */
  events: FoldedEvent[];
  flags: VisitFlag[];
  /** Fact id → what became of it, in plain words without patient data. */
  outcomes: Map<string, string>;
}

export interface FoldedVisit extends VisitFold, Omit<VisitFactsGroup, 'facts'> {
  /** All facts of the visit, those that gave nothing among them. A stored visit is found again by these. */
  factIds: string[];
}

/** What a facility has sent of the patients of a dossier, under record numbers that are one patient's (`byAuthority`). */
export interface FacilityFacts {
  groupId: string;
  facility: FoldFacility;
  facts: readonly Fact[];
}

/** Both stages: the visits of one dossier (see `assembleVisits`), ordered by facility and key. */
export function foldFacilities(parts: readonly FacilityFacts[]): (FoldedVisit & { groupId: string })[] {
  const groups = parts.flatMap(({ groupId, facility, facts }) =>
    assembleVisits(facts).map((group) => ({ groupId, facility, group })),
  );
  const elsewhere = parts.length > 1 ? elsewhereOf(groups) : new Map<VisitFactsGroup, Fact[]>();
  const fold = ({ groupId, facility, group }: PlacedGroup, tellsDeath: boolean) => {
    const { facts: own, ...identity } = group;
    const visit = foldVisit([...own, ...(elsewhere.get(group) ?? [])], facility, { tellsDeath });
    return { groupId, ...identity, ...visit, factIds: own.map((fact) => fact.id) };
  };
  const visits = groups.map((group) => fold(group, true));
  const silent = new Set(
    parts.flatMap(({ groupId, facts }) => [
      ...deathsToldElsewhere(
        visits.filter((visit) => visit.groupId === groupId),
        facts,
      ),
    ]),
  );
  return visits.map((visit, index) => (silent.has(visit) ? fold(groups[index] as PlacedGroup, false) : visit));
}

/** A dossier of one facility. */
export const foldDossier = (facts: readonly Fact[], facility: FoldFacility): FoldedVisit[] =>
  foldFacilities([{ groupId: '', facility, facts: byAuthority(facts).facts }]).map(({ groupId: _, ...visit }) => visit);

/** Stage two: all facts of one visit, in any order. `tellsDeath` false: another visit of the patient has that event. */
export function foldVisit(
  facts: readonly Fact[],
  facility: FoldFacility,
  { tellsDeath = true }: { tellsDeath?: boolean } = {},
): VisitFold {
  const unique = withoutRepeats(facts);
  const timeline = timelineOf(unique);
  const strikes = pairCancels(timeline.filter(mayBeStruck));
  const told = timeline.filter((dated) => !isCancel(dated.fact.adt.trigger));
  const standing = told.filter((dated) => !strikes.struckBy.has(dated));
  const isRetracted = (timeline.some(isRetraction) || isSentBack(timeline, strikes)) && !standing.some(isLife);

  const walk = beginWalk(facility, tellsDeath);
  // A retracted visit keeps its details as they stood, so that one can see what it was that was taken back.
  const echoes = echoesOfPending(timeline, strikes);
  for (const dated of isRetracted ? told : standing) step(walk, dated, echoes.has(dated));
  keepWithinVisit(walk, timeline);
  const state: VisitState = { ...walk.state, status: isRetracted ? 'CANCELLED' : STATUS[walk.phase] };
  return {
    state,
    events: isRetracted ? [] : finishEvents(walk.drafts),
    flags: flagsOf(walk, strikes, state),
    outcomes: outcomesOf(facts, walk, timeline, strikes, isRetracted),
  };
}

/** Nobody is discharged before being admitted: where a time was not believed, PV1-44 of another message may still repeat it. */
function keepWithinVisit({ state, start, flags }: Walk, timeline: readonly Dated[]): void {
  if (!timeline.some(({ fact }) => fact.adt.disbelieved)) return;
  flags.add('TIME_NOT_BELIEVED');
  const { admittedAt, dischargedAt } = state;
  if (!admittedAt || !dischargedAt || !isBefore(dischargedAt, admittedAt)) return;
  state.admittedAt = start && !isBefore(dischargedAt, start.at) ? start.at : dischargedAt;
}

const UNSAID = { expectedDischargeAt: undefined, estimatedDays: undefined };

const STATUS: Record<Walk['phase'], VisitStatus> = {
  none: 'IN_PROGRESS',
  planned: 'PLANNED',
  single: 'FINISHED',
  open: 'IN_PROGRESS',
  left: 'ON_LEAVE',
  ended: 'FINISHED',
};

const RETRACTIONS = new Set(['A11', 'A23', 'A27', 'A29', 'A38']);
const isRetraction = ({ fact }: Dated): boolean => RETRACTIONS.has(fact.adt.trigger);

/** Arrivals elsewhere are not this visit's to cancel; transfers from here are. */
const mayBeStruck = ({ fact }: Dated): boolean =>
  !fact.elsewhere || fact.adt.trigger === 'A02' || fact.adt.trigger === 'A12';

/** The transfer that brought the patient here from another facility was taken back. */
const isSentBack = (timeline: readonly Dated[], { struckBy }: Strikes): boolean =>
  timeline.some(({ fact }) => fact.elsewhere) &&
  [...struckBy.keys()].some(({ fact }) => !fact.elsewhere && fact.adt.trigger === 'A02');

/** Triggers after which there is a visit, whatever was cancelled before; an A08 is sent for cancelled visits too. */
const LIFE = new Set(['A01', 'A02', 'A03', 'A04', 'A05', 'A06', 'A07', 'A14', 'A21', 'A22', 'MANUAL']);
const isLife = ({ fact }: Dated): boolean => !fact.elsewhere && LIFE.has(fact.adt.trigger);

/** An admission in the future is none, unless an update says it of a visit that is only planned. */
function believedFields(walk: Walk, fact: Fact, isEcho: boolean): VisitFacts {
  const visit = { ...fact.adt.visit, ...(isEcho && UNSAID) };
  const isPlanned = walk.phase === 'planned' && !LIFE.has(fact.adt.trigger);
  const isOwn = (isPlanned || isBelieved(fact, 'admitted')) && !isOfStayElsewhere(walk, fact.adt);
  return isOwn ? visit : { ...visit, admittedAt: undefined };
}

/** `isEcho`: what it says of the expected discharge was taken back. */
function step(walk: Walk, dated: Dated, isEcho: boolean): void {
  const { adt, id } = dated.fact;
  if (dated.fact.elsewhere) {
    noteElsewhere(walk, dated);
    return;
  }
  if (isAboutIdentifiers(adt.trigger)) {
    walk.outcomes.set(id, 'identifiers only: no event');
    return;
  }
  const { setting, location, payers } = walk.state;
  const before: Before = { setting, location, payer: payers[0] };
  const count = walk.drafts.length;
  if (adt.visit) writeFields(walk.state, believedFields(walk, dated.fact, isEcho));
  const outcomes = [act(walk, dated, before)];
  if (isLife(dated)) walk.isElsewhere = false;
  const death = noteDeath(walk, dated);
  if (death) outcomes.push(death);
  const isOpen = walk.phase === 'open' || walk.phase === 'left';
  if (walk.drafts.length === count && isOpen && isOtherPayer(before.payer, walk.state.payers[0])) {
    give(walk, dated, 'PAYOR_CHANGE');
    outcomes.push(gave('PAYOR_CHANGE'));
  }
  const given = outcomes.filter((text) => text.startsWith('gave') || text.startsWith('amended'));
  walk.outcomes.set(id, (given.length > 0 ? given : outcomes).join(', '));
}

function act(walk: Walk, dated: Dated, before: Before): string {
  const endCode: EventCode = walk.facility.facilityType === 'HHA' ? 'ENDED_HHA_SERVICES' : 'DISCHARGE';
  switch (dated.fact.adt.trigger) {
    case 'A01':
    case 'A04':
      return arrive(walk, dated, before);
    case 'A02':
      return transfer(walk, dated, before);
    case 'A07':
      return move(walk, dated, before);
    case 'A03':
      return end(walk, dated, before, endCode);
    case 'A05':
    case 'A14':
      return plan(walk);
    case 'A06':
      return becomeInpatient(walk, dated, before);
    case 'A21':
      return leaveOrReturn(walk, dated, before, 'MEDICAL_LEAVE_OF_ABSENCE');
    case 'A22':
      return leaveOrReturn(walk, dated, before, 'RESUMED_SERVICES');
    case 'CLOSE':
      return close(walk, dated);
    case 'MANUAL':
      return actByHand(walk, dated, before);
    default:
      return update(walk, dated, before);
  }
}

function actByHand(walk: Walk, dated: Dated, before: Before): string {
  const code = dated.fact.manualCode;
  switch (code) {
    case 'ADMIT':
    case 'PRESENTED':
    case 'VISIT':
    case 'STARTED_HHA_SERVICES':
      return begin(walk, dated, before, code, settingOf(dated.fact, walk.facility) ?? before.setting);
    case 'DISCHARGE':
    case 'DECEASED':
    case 'ENDED_SERVICES':
    case 'ENDED_HHA_SERVICES':
      return end(walk, dated, before, code);
    case 'TRANSFER':
      return move(walk, dated, before);
    case 'MEDICAL_LEAVE_OF_ABSENCE':
    case 'RESUMED_SERVICES':
      return leaveOrReturn(walk, dated, before, code);
    case 'CLOSED':
      return close(walk, dated);
    case 'PAYOR_CHANGE':
      give(walk, dated, code);
      return gave(code);
    default:
      return 'entered by hand without an event';
  }
}

function flagsOf(walk: Walk, strikes: Strikes, { status, setting }: VisitState): VisitFlag[] {
  const { flags } = walk;
  if ([...strikes.found].some(([{ fact }, targets]) => !fact.elsewhere && targets.length === 0))
    flags.add('CANCEL_WITHOUT_TARGET');
  const isStay = status === 'IN_PROGRESS' || status === 'ON_LEAVE' || walk.phase === 'ended';
  if (status !== 'CANCELLED' && isStay && !walk.start) flags.add('ADMISSION_UNKNOWN');
  if (status !== 'CANCELLED' && setting === 'UNKNOWN') flags.add('SETTING_UNKNOWN');
  return [...flags].sort();
}

function outcomesOf(
  facts: readonly Fact[],
  walk: Walk,
  timeline: readonly Dated[],
  strikes: Strikes,
  isRetracted: boolean,
): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const dated of timeline) {
    const { id, adt, elsewhere } = dated.fact;
    if (elsewhere) continue;
    const by = strikes.struckBy.get(dated);
    if (by) outcomes.set(id, struckOutcome(by.fact.adt.trigger));
    else if (isCancel(adt.trigger)) outcomes.set(id, cancelOutcome(strikes.found.get(dated)));
    else outcomes.set(id, isRetracted ? 'the visit is cancelled: no event' : (walk.outcomes.get(id) ?? ''));
  }
  const dated = new Set(timeline.map(({ fact }) => fact.adt.contentHash));
  for (const { id, adt, elsewhere } of facts) {
    if (outcomes.has(id) || elsewhere) continue;
    outcomes.set(id, dated.has(adt.contentHash) ? 'repeats another message' : 'no readable time: no event');
  }
  return outcomes;
}
