/**
 * Any message may say that the patient has died (PID-30). One that cancels something, merges or moves records or is about the person alone
 * (A28, A51) is in no visit for what PID says, so the fold reads it twice: for what its trigger does, and as an update of the person.
 */
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import type { FacilityVisit } from './folded-visit.ts';
import { changesEvents } from './outcomes.ts';
import { isAboutIdentifiers, isCancel, isOfDocument, isOurs } from './visit-triggers.ts';

/** Marks the update among ids and content hashes. HL7 fields can't contain the character. */
const MARK = '\u001fdeath';

/** Returns what the message says about the patient, as an update (A31) without a visit. */
export function deathStatement(fact: Fact): Fact {
  const contentHash = fact.adt.contentHash + MARK;
  const adt: AdtFacts = { ...fact.adt, trigger: 'A31', visit: null, merge: null, contentHash };
  const statement = { ...fact, id: fact.id + MARK, adt };
  return eventTime(statement) ? statement : { ...statement, adt: { ...adt, occurredAt: eventTime(fact) } };
}

/** Returns the facts, and a second one for each that reports a death and is applied to no visit. */
export const withDeathStatements = (facts: readonly Fact[]): readonly Fact[] => {
  const statements = facts.filter(isAppliedToNoVisit).map(deathStatement);
  return statements.length === 0 ? facts : [...facts, ...statements];
};

function isAppliedToNoVisit({ adt: { trigger, patient } }: Fact): boolean {
  if (patient.deceased !== true || isOurs(trigger) || isOfDocument(trigger)) return false;
  return isAboutIdentifiers(trigger) || isCancel(trigger);
}

/** The key of a record that holds a death outside any visit. */
export const deathKey = (recordNumber: string): string => `${DEATH_KEY}${recordNumber}`;
const DEATH_KEY = 'death|';

/**
 * Names the messages again. A message is in one visit at most: with the death if that is a record of its own, otherwise with the visit that its
 * trigger is about. What became of it is the death that it reported, if it was the first to report it.
 */
export function withMessagesNamed(visits: readonly FacilityVisit[]): FacilityVisit[] {
  const all = visits.flatMap(({ factIds, outcomes }) => [...factIds, ...outcomes.keys()]);
  if (!all.some((id) => id.endsWith(MARK))) return [...visits];
  const alone = new Set(visits.filter(isDeathAlone).flatMap(({ factIds }) => factIds.map(messageOf)));
  const reporting = new Set(
    visits.flatMap(({ outcomes }) =>
      [...outcomes].flatMap(([id, outcome]) => (isStatement(id) && changesEvents(outcome) ? [messageOf(id)] : [])),
    ),
  );
  const named = visits.map((visit) => ({
    ...visit,
    factIds: isDeathAlone(visit)
      ? distinct(visit.factIds)
      : visit.factIds.filter((id) => !isStatement(id) && !alone.has(id)),
    events: visit.events.map((event) => ({ ...event, factIds: distinct(event.factIds) })),
    outcomes: new Map(
      [...visit.outcomes].flatMap(([id, outcome]): [string, string][] => {
        if (isStatement(id)) return changesEvents(outcome) ? [[messageOf(id), outcome]] : [];
        return reporting.has(id) ? [] : [[id, outcome]];
      }),
    ),
    deathsTakenBack: new Set([...visit.deathsTakenBack].map(messageOf)),
  }));
  return named.filter(({ factIds }) => factIds.length > 0);
}

/** By the id of a fact. */
export const isStatement = (id: string): boolean => id.endsWith(MARK);
const messageOf = (id: string): string => (isStatement(id) ? id.slice(0, -MARK.length) : id);
const distinct = (ids: readonly string[]): string[] => [...new Set(ids.map(messageOf))];
const isDeathAlone = ({ key }: FacilityVisit): boolean => key.startsWith(DEATH_KEY);
