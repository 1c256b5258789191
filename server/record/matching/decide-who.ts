/**
 * Record numbers that a facility merged are one patient's, whose demographics may be found under any of them: the prior number may have the
 * name that a roster has. So the surviving one is identified by all of them, and the others follow it (`write-links.ts`).
 */
import { compare } from '#server/record/scoring/comparison.ts';
import { type Decision, decide, type KnownPerson, type RankedCandidate, SCORE } from '#server/record/scoring/decide.ts';
import { hasRival, markListedApart } from './listed-apart.ts';
import type { MatchingContext } from './matching-context.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';

export interface DecideWho {
  /** The person to whom the subject is linked already. */
  knownRecord?: KnownPerson | undefined;
  /** Records that do not count. */
  except?: ReadonlySet<SubjectRecord>;
}

/** Decides who the subject is by each of its record numbers, and not in favor of one of two people on one list. */
export function decideWho(subject: SubjectRecord, context: MatchingContext, options: DecideWho = {}): Decision {
  const decision = decideByNumbers(subject, context, options);
  if (decision.outcome !== 'matched' || !hasRival(subject, decision, context)) return decision;
  return decideByNumbers(subject, context, { ...options, rivalOf: decision.personId });
}

/** `rivalOf`: a person to whom someone else on the subject's list could be linked as well. */
type OptionsWithRival = DecideWho & { rivalOf?: string };

/** Returns the persons that the subject may be by one of its record numbers. */
function peopleFor(
  subject: SubjectRecord,
  record: SubjectRecord,
  context: MatchingContext,
  { except = new Set(), rivalOf }: OptionsWithRival,
): KnownPerson[] {
  const { candidates, keys } = context;
  const own = candidates.mergedWith(subject);
  const people = candidates
    .of(record, keys.get(subjectKey(record)) ?? [], new Set([...except, ...own]))
    .filter(({ personId }) => !own.some((each) => candidates.isKeptApart(each, personId)));
  return markListedApart(subject, people, context, rivalOf);
}

function decideByNumbers(subject: SubjectRecord, context: MatchingContext, options: OptionsWithRival): Decision {
  const { candidates, snapshot } = context;
  const [known] = options.knownRecord ? markListedApart(subject, [options.knownRecord], context, options.rivalOf) : [];
  const knownRecord = known?.isListedApart ? undefined : known;
  const decisions = withoutRepeats(candidates.mergedWith(subject)).map((record) =>
    decide(record.demographics, peopleFor(subject, record, context, options), { knownRecord, snapshot }),
  );
  const [own, ...others] = decisions;
  return own !== undefined && others.length === 0 ? own : combined(subject, decisions, context);
}

/** Returns one record for each set of demographics, the first: someone may have been merged from hundreds of alike numbers. */
const withoutRepeats = (records: readonly SubjectRecord[]): SubjectRecord[] =>
  [...new Map(records.toReversed().map((record) => [record.demographics, record])).values()].reverse();

/** A link by one number is a link of all, except if another number contradicts the person. */
function combined(subject: SubjectRecord, decisions: readonly Decision[], context: MatchingContext): Decision {
  const matched = decisions.filter((decision) => decision.outcome === 'matched');
  const [best] = matched.toSorted((a, b) => weightOf(b) - weightOf(a));
  const vetoed = new Set(matched.map(({ personId }) => personId).filter((id) => hasOtherNumber(subject, id, context)));
  const candidates = strongest(decisions).map((candidate): RankedCandidate => {
    const { personId, evidence } = candidate;
    if (!vetoed.has(personId)) return candidate;
    const vetoes = new Set([...evidence.vetoes, 'medicare-id-differs' as const]);
    return { personId, evidence: { ...evidence, vetoes: [...vetoes] } };
  });
  const [first] = candidates;
  if (first === undefined) return { outcome: 'new', candidates: [], evidence: null };
  const persons = matched.map(({ personId }) => personId);
  if (best && vetoed.size === 0 && !areOnOneList(persons, context)) return { ...best, candidates };
  return { outcome: 'review', candidates, evidence: first.evidence };
}

const weightOf = ({ evidence }: Extract<Decision, { outcome: 'matched' }>): number =>
  evidence.ruleId === SCORE ? evidence.bits : Number.NEGATIVE_INFINITY;

/** Returns each candidate once, with the evidence of the number that agrees best; a contradicted record number stays first. */
function strongest(decisions: readonly Decision[]): RankedCandidate[] {
  const best = new Map<string, RankedCandidate>();
  for (const candidate of decisions.flatMap((decision): readonly RankedCandidate[] => decision.candidates)) {
    const before = best.get(candidate.personId);
    if (before === undefined || before.evidence.bits < candidate.evidence.bits) best.set(candidate.personId, candidate);
  }
  const isContested = ({ evidence }: RankedCandidate): boolean => evidence.ruleId !== SCORE;
  return [...best.values()].sort(
    (a, b) => Number(isContested(b)) - Number(isContested(a)) || b.evidence.bits - a.evidence.bits,
  );
}

/** Whether Medicare numbers of the subject and the person differ and none agrees. */
function hasOtherNumber(subject: SubjectRecord, personId: string, { candidates }: MatchingContext): boolean {
  const own = new Set(candidates.mergedWith(subject));
  const records = withoutRepeats(candidates.recordsOf(personId).filter((record) => !own.has(record)));
  const levels = withoutRepeats([...own]).flatMap((a) =>
    records.map((b) => compare(a.demographics, b.demographics).medicareId),
  );
  return levels.includes('differs') && !levels.includes('exact');
}

/** Whether one list has several of these persons. */
function areOnOneList(personIds: readonly string[], { candidates }: MatchingContext): boolean {
  const lists = [...new Set(personIds)].flatMap((personId) => [
    ...new Set(candidates.recordsOf(personId).flatMap(({ listedBy }) => listedBy ?? [])),
  ]);
  return new Set(lists).size < lists.length;
}
