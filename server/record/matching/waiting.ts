/**
 * Those who wait in review are candidates like others, so a record that is like them and like whom they wait for could be either. If it links the two, it
 * is the answer to their review and not one more: who arrived first must not decide that (docs/decisions/0125).
 */
import { type Decision, isAutomatic, KNOWN_RECORD } from '#server/record/scoring/decide.ts';
import { keysOf } from './blocking-index.ts';
import { type DecideWho, decideWho } from './decide-who.ts';
import type { MatchingContext } from './matching-context.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';

export interface Decided {
  decision: Decision;
  /** Those who are the same person because of the subject; they have to be decided again. */
  answered: readonly SubjectRecord[];
}

/** Decides who the subject is: as if it had arrived before those who wait in review, provided that none of them speaks against it afterwards. */
export function decideBesideWaiting(
  subject: SubjectRecord,
  context: MatchingContext,
  options: DecideWho = {},
): Decided {
  const decision = decideWho(subject, context, options);
  const waiting = waitingIn(decision, subject, context);
  if (waiting.length === 0) return { decision, answered: [] };
  const before = decideWho(subject, context, { ...options, except: new Set(waiting) });
  const answered = before.outcome === 'matched' ? followersOf(subject, before.personId, waiting, context, options) : [];
  return answered.length === 0 ? { decision, answered } : { decision: before, answered };
}

/**
 * Returns the records of candidates who wait in review, if someone who doesn't wait is as likely as a link needs. If all of these wait, perhaps for one
 * another only: of the others, as if the likeliest had come first.
 */
function waitingIn(decision: Decision, { personId: own }: SubjectRecord, context: MatchingContext): SubjectRecord[] {
  if (decision.outcome !== 'review' || decision.evidence.ruleId === KNOWN_RECORD) return [];
  const candidates = decision.candidates.map(({ personId, evidence }) => {
    const records = personId === own ? [] : context.candidates.recordsOf(personId);
    return { evidence, records, waits: records.some((record) => isWaiting(record, context)) };
  });
  const likely = candidates.filter(({ evidence }) => isAutomatic(evidence));
  const first = likely.find(({ waits }) => !waits) ?? likely[0];
  return first ? candidates.flatMap((each) => (each.waits && each !== first ? each.records : [])) : [];
}

const isWaiting = (record: SubjectRecord, { reviews }: MatchingContext): boolean => {
  const review = reviews.get(subjectKey(record));
  return review !== undefined && review.ruleId !== KNOWN_RECORD;
};

/**
 * Returns who of those who wait would be linked to the person if the subject were, one after another, beside those of that person who wait themselves;
 * nobody if the others would then keep one of these from that person.
 */
function followersOf(
  subject: SubjectRecord,
  personId: string,
  waiting: readonly SubjectRecord[],
  context: MatchingContext,
  options: DecideWho,
): SubjectRecord[] {
  const { candidates } = context;
  const own = candidates.recordsOf(personId).filter((record) => isWaiting(record, context));
  const keys = new Map(context.keys);
  for (const record of [...own, ...waiting]) keys.set(subjectKey(record), keysOf(record.demographics));
  const isMatched = (record: SubjectRecord, more: DecideWho): boolean => {
    const decision = decideWho(record, { ...context, keys }, more);
    return decision.outcome === 'matched' && decision.personId === personId;
  };
  const former = new Map([subject, ...waiting].map((record) => [record, record.personId]));
  candidates.move(subject, personId);
  const left = new Set(waiting);
  const isNext = (record: SubjectRecord): boolean =>
    isMatched(record, { except: new Set([...left].filter((other) => other !== record)) });
  for (let next = waiting.find(isNext); next !== undefined; next = [...left].find(isNext)) {
    left.delete(next);
    candidates.move(next, personId);
  }
  const followers = [...own, ...waiting.filter((record) => !left.has(record))];
  const areSure =
    (left.size === 0 && own.length === 0) ||
    (isMatched(subject, options) && followers.every((record) => isMatched(record, {})));
  for (const [record, person] of former) candidates.move(record, person);
  return areSure ? followers : [];
}
