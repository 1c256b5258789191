/**
 * What someone at a facility reported by a link (docs/decisions/0069). It fills what no other message says and overrides nothing: the visits
 * are folded without it, and only then does it end a stay that is still open, or say where a patient went. So a discharge by a feed or by
 * staff counts in any order of arrival, and an answer that is taken back leaves no trace.
 */
import { isDeathDisposition } from '#contract/dispositions.ts';
import type { EventCode } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { eventTime, isBefore, minuteOf } from './event-time.ts';
import type { FacilityFacts, Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
import type { FacilityVisit, FoldedEvent } from './folded-visit.ts';
import { canceledOutcome, created, isCanceledOutcome, noNewEvent, updated } from './outcomes.ts';
import { withoutRepeats } from './timeline.ts';
import { endCode, isOutpatient, payerName } from './visit-state.ts';
import { isOurs, LINK } from './visit-triggers.ts';

export const isLinkReport = ({ adt }: Fact): boolean => adt.trigger === LINK;

/** Returns the visits with what was reported about them by links. `parts`: the facts from which the visits were folded. */
export function withLinkReports(visits: FacilityVisit[], parts: readonly FacilityFacts[]): FacilityVisit[] {
  return parts.reduce((all, part) => (part.facts.some(isLinkReport) ? withReportsAt(all, part) : all), visits);
}

function withReportsAt(visits: FacilityVisit[], { groupId, facility, facts }: FacilityFacts): FacilityVisit[] {
  const reports = facts.filter(isLinkReport);
  const factOf = new Map(facts.map((fact) => [fact.id, fact]));
  const takenBack = new Set(facts.flatMap(({ adt }) => adt.retracts ?? []));
  const dead = new Set(visits.filter(hasDied).map(({ recordNumber }) => recordNumber));
  return visits.map((visit) => {
    if (visit.groupId !== groupId) return visit;
    const own = visit.factIds.flatMap((id) => factOf.get(id) ?? []);
    const contents = new Set(own.map(({ adt }) => adt.contentHash));
    const about = reports.filter(({ adt }) => contents.has(adt.link?.about ?? ''));
    if (about.length === 0) return visit;
    const isDead = dead.has(visit.recordNumber);
    const filled = answered(visit, { about, own, takenBack, isDead, code: endCode(facility) });
    if (hasDied(filled)) dead.add(visit.recordNumber);
    return filled;
  });
}

const hasDied = ({ events }: FacilityVisit): boolean => events.some(({ code }) => code === 'DECEASED');

interface Answers {
  /** The answers about the visit, and those that take others back. */
  about: readonly Fact[];
  /** What else was reported about the visit. */
  own: readonly Fact[];
  /** The control ids of answers that were taken back. */
  takenBack: ReadonlySet<string>;
  /** The patient's death is an event already. */
  isDead: boolean;
  /** The event that ends a stay at the facility. */
  code: EventCode;
}

/** Of several answers about a stay, the one that was written last counts. */
function answered(visit: FacilityVisit, answers: Answers): FacilityVisit {
  const { about, takenBack } = answers;
  const inOrder = withoutRepeats(about).sort(byTimeWritten);
  const latest = inOrder.findLast(({ adt }) => !adt.retracts && !takenBack.has(adt.controlId));
  const { visit: filled, outcome } = latest ? apply(visit, latest, answers) : { visit, outcome: '' };
  const outcomes = new Map(filled.outcomes);
  for (const fact of about) outcomes.set(fact.id, outcomeOf(fact, latest, outcome, takenBack));
  return { ...filled, outcomes, factIds: [...filled.factIds, ...about.map(({ id }) => id)] };
}

function outcomeOf({ adt }: Fact, latest: Fact | undefined, outcome: string, takenBack: ReadonlySet<string>): string {
  if (adt.retracts) return noNewEvent('takes back what was reported by link');
  if (takenBack.has(adt.controlId)) return canceledOutcome(LINK);
  return adt.contentHash === latest?.adt.contentHash ? outcome : noNewEvent('a later answer by link counts');
}

interface Applied {
  visit: FacilityVisit;
  outcome: string;
}

function apply(visit: FacilityVisit, report: Fact, answers: Answers): Applied {
  const at = report.adt.visit?.dischargedAt ?? null;
  const unchanged = (reason: string): Applied => ({ visit, outcome: noNewEvent(reason) });
  if (!at) return unchanged('the facility reported by link that the patient is still there');
  const { status, dischargedAt } = visit.state;
  if (status === 'CANCELLED') return unchanged('the visit was canceled');
  if (status === 'FINISHED' && dischargedAt) return fillDestination(visit, report);
  const autoClose = autoCloseOf(visit, answers.own);
  if (status === 'PLANNED' || (status === 'FINISHED' && !autoClose)) return unchanged('the visit is no open stay');
  if (visit.state.deceased) return unchanged("another message reports the patient's death");
  if (isOutpatient(visit.state)) return unchanged('an outpatient visit has no discharge');
  const began = visit.state.admittedAt ?? visit.events[0]?.at;
  if (began && isBefore(at, began)) return unchanged('before the stay');
  if (showsPatientLater(visit, answers.own, at)) return unchanged('a later message shows that the patient was there');
  return endStay(visit, report, at, { ...answers, autoClose });
}

/** The event with which our job closed an ED visit that had no discharge. */
function autoCloseOf({ events }: FacilityVisit, own: readonly Fact[]): FoldedEvent | undefined {
  const closes = new Set(own.filter(({ adt }) => adt.trigger === 'CLOSE').map(({ id }) => id));
  return events.findLast(({ code, factIds }) => code === 'CLOSED' && factIds.every((id) => closes.has(id)));
}

/** What shows where the patient was: arrivals, moves, leaves and returns, and cancels of a discharge, a transfer or a leave. */
const PRESENCE = new Set('A01 A02 A04 A06 A07 A12 A13 A21 A22 A52 A53'.split(' '));
const ENDS = new Set<EventCode | undefined>([
  'DISCHARGE',
  'DECEASED',
  'ENDED_SERVICES',
  'ENDED_HHA_SERVICES',
  'CLOSED',
]);

function showsPatientLater({ outcomes }: FacilityVisit, own: readonly Fact[], discharged: Moment): boolean {
  return own.some((fact) => {
    const { trigger } = fact.adt;
    const isPresent = PRESENCE.has(trigger) || (trigger === 'MANUAL' && !ENDS.has(fact.manualCode));
    if (!isPresent || isCanceledOutcome(outcomes.get(fact.id) ?? '')) return false;
    const at = eventTime(fact);
    return at !== null && isBefore(discharged, at);
  });
}

/** Another message reports the discharge, but perhaps not where the patient went. */
function fillDestination(visit: FacilityVisit, report: Fact): Applied {
  const { disposition = null, dischargedTo = null } = report.adt.visit ?? {};
  const end = visit.events.findLast(({ code }) => ENDS.has(code));
  const isKnown = end?.disposition != null || end?.dischargedTo != null || end?.transferredTo !== undefined;
  const isAnswer = (disposition !== null || dischargedTo !== null) && !isDeathDisposition(disposition);
  if (!end || end.code === 'DECEASED' || end.code === 'CLOSED' || isKnown || !isAnswer)
    return { visit, outcome: noNewEvent('another message reports the discharge') };
  const filled = { ...end, disposition, dischargedTo, ...originOf(report) };
  const events = visit.events.map((event) =>
    event === end ? { ...filled, factIds: [...end.factIds, report.id] } : event,
  );
  const state = { ...visit.state, disposition, dischargedTo };
  return { visit: { ...visit, events, state }, outcome: updated(end.code) };
}

function endStay(
  visit: FacilityVisit,
  report: Fact,
  at: Moment,
  { code, isDead, own, autoClose }: Pick<Answers, 'code' | 'isDead' | 'own'> & { autoClose: FoldedEvent | undefined },
): Applied {
  const { disposition = null, dischargedTo = null } = report.adt.visit ?? {};
  const died = isDeathDisposition(disposition);
  const others = visit.events.filter((event) => event !== autoClose);
  const event: FoldedEvent = {
    key: '',
    code: died && !isDead ? 'DECEASED' : code,
    at,
    setting: visit.state.setting,
    priorSetting: null,
    pointOfCare: visit.state.location?.pointOfCare ?? null,
    disposition,
    dischargedTo,
    admitSource: null,
    payer: payerName(visit.state.payers[0]),
    inferred: false,
    isManual: false,
    ...originOf(report),
    factIds: [report.id],
  };
  const next = others.findIndex((other) => isBefore(at, other.at));
  const ended = { ...event, key: keyOf(event, others) };
  const isOfSystem = own.some(({ adt }) => !isOurs(adt.trigger));
  const end = {
    disposition,
    dischargedTo,
    dischargedAt: at,
    status: 'FINISHED' as const,
    ...(isOfSystem && { endedByLink: true as const }),
  };
  return {
    visit: {
      ...visit,
      events: others.toSpliced(next < 0 ? others.length : next, 0, ended),
      state: { ...visit.state, ...end, deceased: visit.state.deceased || died },
    },
    outcome: created(event.code),
  };
}

const originOf = ({ adt: { link, sentAt } }: Fact): Pick<FoldedEvent, 'reportedByLink'> => ({
  reportedByLink: {
    name: link?.name ?? '',
    ...(link?.organization && { organization: link.organization }),
    date: sentAt?.instant ?? '',
  },
});

/** As the fold's other keys (`visit-draft.ts`, `finishEvents`). */
function keyOf({ code, at }: FoldedEvent, others: readonly FoldedEvent[]): string {
  const base = `${code}@${at.precision === 'day' ? at.localDate : minuteOf(at)}`;
  return `${base}#${others.filter(({ key }) => key.startsWith(`${base}#`)).length + 1}`;
}
