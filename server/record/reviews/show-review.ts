/** What a reviewer sees of a review (docs/security.md, "Trust"). Pure. */
import { createHash } from 'node:crypto';
import type { Review, ReviewCandidate, ReviewRecord } from '#contract/reviews.ts';
import { storedDemographics } from '#server/record/matching/subjects.ts';
import { compare } from '#server/record/scoring/comparison.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';
import { type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { CLEAR_LEAD } from '#server/record/scoring/parameters.ts';
import { pairVetoes, type VetoId } from '#server/record/scoring/vetoes.ts';
import { agreementsOf, agreementsOfRecords, isNamesakeAtHome, isPlain, type Levels, weightOf } from './agreement.ts';
import type { RecordRow, Reviewer, ReviewRow, ReviewTrust } from './queries.ts';
import { reasonOf, warningOf } from './reason.ts';

/** Names a candidate within one review, without revealing the person's id: the salt is never sent. */
export const idOf = (salt: string, personId: string): string =>
  createHash('sha256').update(`${salt}:${personId}`).digest('hex').slice(0, 32);

/**
 * Returns the candidates that the reviewer sees and may choose. Those of other organizations only where the subject came from a feed: about a
 * patient whom a user composed, each field's agreement would answer a guess.
 */
export const seenBy = ({ isOperator }: Reviewer, { candidates, knownIds, isFromFeed }: ReviewTrust) =>
  candidates.filter(({ personId }) => isOperator || isFromFeed || knownIds.includes(personId));

/** Whether the stored evidence reveals nothing that the reviewer may not know. */
const seesEvidence = ({ isOperator }: Reviewer, { isFromFeed, hasForeignRecords }: ReviewTrust): boolean =>
  isOperator || isFromFeed || !hasForeignRecords;

/** Whether the review may be linked together with others: what agrees is plain, nothing and no one speaks against it, and no other candidate is near. */
export function isClear(reviewer: Reviewer, review: ReviewTrust): boolean {
  const [first, ...others] = review.candidates;
  if (first === undefined || review.isOwnEntry || review.takenFromId !== null || !seesEvidence(reviewer, review))
    return false;
  if (seenBy(reviewer, review).length < review.candidates.length) return false;
  return isClearMatch(first, others);
}

/** `others`: the other candidates. One with a veto is as near as one without. */
const isClearMatch = ({ evidence }: RankedCandidate, others: readonly RankedCandidate[]): boolean =>
  isPlain(evidence.fields) &&
  evidence.vetoes.length === 0 &&
  evidence.bits >= CLEAR_LEAD &&
  others.every((other) => evidence.bits - other.evidence.bits >= CLEAR_LEAD);

/** Returns the review as the reviewer sees it, and the persons whose records or agreement are shown. */
export function showReview(reviewer: Reviewer, row: ReviewRow): { review: Review; personIds: string[] } {
  const isSubject = ({ kind, id }: RecordRow) => kind === row.kind && id === row.subjectId;
  const subject = row.records.find(isSubject);
  if (subject === undefined) throw new Error(`Review ${row.id} has no subject`);
  const compared = { shown: recordOf(subject), demographics: normalize(storedDemographics(subject)) };
  const seen = seenBy(reviewer, row);
  const shown = seen.map((candidate) => {
    const records = row.records.filter(
      (record) =>
        record.personId === candidate.personId &&
        !isSubject(record) &&
        (reviewer.isOperator || record.organizationId === reviewer.organizationId),
    );
    const { levels, ...rest } = showCandidate(reviewer, row, candidate, compared, records);
    return { levels, candidate: { id: idOf(row.salt, candidate.personId), ...rest } };
  });
  const content = {
    record: compared.shown,
    candidates: withNamesakes(shown),
    hasOutsideCandidate: seen.length < row.candidates.length,
    isOwnEntry: row.isOwnEntry,
    isClear: isClear(reviewer, row),
  };
  return {
    review: { id: row.id, createdDate: row.createdDate, version: versionOf(row.salt, content), ...content },
    personIds: [subject.personId, ...seen.map(({ personId }) => personId)],
  };
}

/** Names what is shown. Salted like the candidates, because values could be guessed from it. */
const versionOf = (salt: string, content: object): string =>
  createHash('sha256')
    .update(`${salt}:${JSON.stringify(content)}`)
    .digest('hex')
    .slice(0, 32);

const TAKEN_BACK = 'The two were linked before, and someone took that link back.';
const NAMESAKES =
  'Two possible matches have this name and address. They may be two people, such as a parent and a child.';

/** Returns the candidates, with a warning about each that has the name and address of another, unless both have the patient's birth date. */
function withNamesakes(shown: readonly { levels: Levels; candidate: ReviewCandidate }[]): ReviewCandidate[] {
  const alike = shown.filter(({ levels }) => isNamesakeAtHome(levels));
  const areTwo = alike.length > 1 && !alike.every(({ levels }) => levels['birthDate'] === 'exact');
  return shown.map((one) =>
    areTwo && alike.includes(one)
      ? { ...one.candidate, warnings: [...one.candidate.warnings, NAMESAKES] }
      : one.candidate,
  );
}

/** `records`: those of the person that the reviewer may see. */
function showCandidate(
  reviewer: Reviewer,
  row: ReviewRow,
  { personId, evidence }: RankedCandidate,
  subject: SubjectRecord,
  records: readonly RecordRow[],
): Omit<ReviewCandidate, 'id'> & { levels: Levels } {
  const [best] = records.map((record) => comparedWith(subject, record)).toSorted((a, b) => b.weight - a.weight);
  const stored = seesEvidence(reviewer, row);
  // A candidate without a record of the reviewer's own is seen only with the stored evidence.
  const levels = best?.levels ?? (stored ? evidence.fields : {});
  const vetoes = stored ? evidence.vetoes : ownVetoes(subject.demographics, best, evidence.vetoes);
  // The own list shows that anyway.
  if (!stored && evidence.vetoes.includes('listed-apart')) vetoes.push('listed-apart');
  const isMerge = personId === row.heldPersonId;
  return {
    levels,
    record: best?.shown ?? null,
    otherRecords: Math.max(0, records.length - 1),
    agreement: best?.agreements ?? agreementsOf(levels),
    reason: reasonOf(levels, vetoes, { isMerge }),
    warnings: [
      ...(personId === row.takenFromId ? [TAKEN_BACK] : []),
      ...vetoes.map((veto) => warningOf(veto, { isMerge })),
    ],
  };
}

interface SubjectRecord {
  shown: ReviewRecord;
  demographics: NormalizedDemographics;
}

interface ComparedRecord extends SubjectRecord {
  levels: ReturnType<typeof compare>;
  agreements: ReturnType<typeof agreementsOf>;
  weight: number;
}

function comparedWith(subject: SubjectRecord, record: RecordRow): ComparedRecord {
  const shown = recordOf(record);
  const demographics = normalize(storedDemographics(record));
  const levels = compare(subject.demographics, demographics);
  const agreements = agreementsOfRecords(levels, subject.shown.values, shown.values);
  return { shown, demographics, levels, agreements, weight: weightOf(agreements) };
}

/**
 * Returns the vetoes that follow from the reviewer's own record alone. A possible twin is mentioned in any case: that someone else exists is
 * known from `hasOutsideCandidate`, and a wrong link would be worse.
 */
function ownVetoes(
  subject: NormalizedDemographics,
  own: ComparedRecord | undefined,
  stored: readonly VetoId[],
): VetoId[] {
  const vetoes = own === undefined ? [] : pairVetoes(subject, own.demographics, own.levels);
  return stored.includes('household-twin') ? [...vetoes, 'household-twin'] : vetoes;
}

function recordOf(row: RecordRow): ReviewRecord {
  const { line1, city, state, phones, memberIds, ...rest } = storedDemographics(row);
  return {
    source: row.kind === 'SOURCE_PATIENT' ? 'FACILITY' : 'ROSTER',
    groupName: row.groupName,
    number: row.number,
    since: new Date(row.since).toISOString(),
    values: {
      family: text(rest.family),
      given: text(rest.given),
      middle: text(rest.middle),
      suffix: text(rest.suffix),
      birthDate: text(rest.birthDate),
      sex: text(rest.sex),
      street: text(line1),
      city: joined([city, state]),
      zip: text(rest.zip),
      phone: joined(phones),
      email: text(rest.email),
      ssnLast4: text(rest.ssnLast4)?.slice(-4) ?? null,
      medicareId: text(rest.medicareId),
      memberId: joined(memberIds.map(({ value }) => value)),
    },
  };
}

const text = (value: string | null): string | null => value?.trim() || null;
const joined = (values: readonly (string | null)[]): string | null =>
  [...new Set(values.map((value) => value?.trim()).filter(Boolean))].join(', ') || null;
