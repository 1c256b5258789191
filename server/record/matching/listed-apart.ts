/** People of one list: member IDs that differ say that their rows are two people, so no two rows are linked to one person without a decision. */
import { type Decision, decide, type Evidence, type KnownPerson, SCORE } from '#server/record/scoring/decide.ts';
import { CLEAR_LEAD, EXPECTED_FALSE_LIMIT } from '#server/record/scoring/parameters.ts';
import type { MatchingContext } from './matching-context.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';

/** Rows that agree in everything are one person listed twice. Equal demographics are one object (`subjects.ts`, "toRecords"). */
const isOnSameList = (a: SubjectRecord, b: SubjectRecord): boolean =>
  a.listedBy !== null && a.listedBy === b.listedBy && a.demographics !== b.demographics;

/** Marks the persons to whom another row of the subject's list is linked, unless a person decided that both are theirs, and `rivalOf`. */
export function markListedApart(
  subject: SubjectRecord,
  people: KnownPerson[],
  { candidates, decided }: MatchingContext,
  rivalOf?: string,
): KnownPerson[] {
  if (subject.listedBy === null) return people;
  return people.map((person) => {
    const isOwn = person.personId === subject.personId;
    const isOther = (record: SubjectRecord): boolean =>
      isOnSameList(record, subject) && !(isOwn && decided.has(subjectKey(record)));
    const isApart = person.personId === rivalOf || candidates.recordsOf(person.personId).some(isOther);
    return isApart ? { ...person, isListedApart: true } : person;
  });
}

/**
 * Whether another row of the subject's list could be linked to the person as well: who came first must not decide which of the two is.
 * `decision`: the one by which the subject would be linked.
 */
export function hasRival(
  subject: SubjectRecord,
  { personId, evidence }: Extract<Decision, { outcome: 'matched' }>,
  context: MatchingContext,
): boolean {
  if (subject.listedBy === null) return false;
  const rivals = context.candidates
    .neighbors(subject, context.keys.get(subjectKey(subject)) ?? [])
    .filter((other) => isOnSameList(other, subject) && !context.candidates.isKeptApart(other, personId));
  return rivals.some((rival) => {
    const other = evidenceFor(rival, personId, context);
    if (other === undefined || rival.personId === personId) return false;
    const isAhead = evidence.ruleId !== SCORE || evidence.bits - other.bits >= CLEAR_LEAD;
    return !isAhead || other.expectedFalse <= EXPECTED_FALSE_LIMIT;
  });
}

/** Whether the subject may keep another row of its list from being linked to the other's person. */
export function isRivalAt(subject: SubjectRecord, other: SubjectRecord, context: MatchingContext): boolean {
  const { personId } = other;
  if (subject.listedBy === null || personId === subject.personId) return false;
  const records = context.candidates.recordsOf(personId);
  return (
    records.length > 1 &&
    records.some((record) => isOnSameList(record, subject)) &&
    evidenceFor(subject, personId, context) !== undefined
  );
}

/** Compares a row with the person's records that are not on its list. */
function evidenceFor(
  row: SubjectRecord,
  personId: string,
  { candidates, snapshot }: MatchingContext,
): Evidence | undefined {
  const records = candidates.recordsOf(personId).filter((record) => record !== row && !isOnSameList(record, row));
  const person = { personId, records: records.map(({ demographics }) => demographics) };
  return decide(row.demographics, [person], { snapshot }).candidates[0]?.evidence;
}
