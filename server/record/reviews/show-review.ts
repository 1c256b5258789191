/** What a reviewer sees of a review (docs/security.md, "Trust"). Pure. */
import { createHash } from 'node:crypto';
import type { Review, ReviewCandidate, ReviewRecord } from '#contract/reviews.ts';
import { storedDemographics } from '#server/record/matching/subjects.ts';
import { compare } from '#server/record/scoring/comparison.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';
import { type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { isFarAhead } from '#server/record/scoring/likelihood.ts';
import { pairVetoes, type VetoId } from '#server/record/scoring/vetoes.ts';
import { agreementsOf, agreementsOfRecords, differsInPerson, weightOf } from './agreement.ts';
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

/** Whether the review may be linked together with others: the first candidate is far ahead, and no fact about the person differs. */
export function isClear(reviewer: Reviewer, review: ReviewTrust): boolean {
  const [first] = review.candidates;
  if (first === undefined || review.isOwnEntry || !seesEvidence(reviewer, review)) return false;
  if (seenBy(reviewer, review).length < review.candidates.length) return false;
  return isFarAhead(review.candidates) && !differsInPerson(agreementsOf(first.evidence.fields));
}

/** Returns the review as the reviewer sees it, and the persons whose records or agreement are shown. */
export function showReview(reviewer: Reviewer, row: ReviewRow): { review: Review; personIds: string[] } {
  const isSubject = ({ kind, id }: RecordRow) => kind === row.kind && id === row.subjectId;
  const subject = row.records.find(isSubject);
  if (subject === undefined) throw new Error(`Review ${row.id} has no subject`);
  const compared = { shown: recordOf(subject), demographics: normalize(storedDemographics(subject)) };
  const seen = seenBy(reviewer, row);
  const candidates = seen.map((candidate) => {
    const records = row.records.filter(
      (record) =>
        record.personId === candidate.personId &&
        !isSubject(record) &&
        (reviewer.isOperator || record.organizationId === reviewer.organizationId),
    );
    return { id: idOf(row.salt, candidate.personId), ...showCandidate(reviewer, row, candidate, compared, records) };
  });
  return {
    review: {
      id: row.id,
      createdDate: row.createdDate,
      record: compared.shown,
      candidates,
      hasOutsideCandidate: seen.length < row.candidates.length,
      isOwnEntry: row.isOwnEntry,
      isClear: isClear(reviewer, row),
    },
    personIds: [subject.personId, ...seen.map(({ personId }) => personId)],
  };
}

/** `records`: those of the person that the reviewer may see. */
function showCandidate(
  reviewer: Reviewer,
  row: ReviewRow,
  { evidence }: RankedCandidate,
  subject: SubjectRecord,
  records: readonly RecordRow[],
): Omit<ReviewCandidate, 'id'> {
  const [best] = records.map((record) => comparedWith(subject, record)).toSorted((a, b) => b.weight - a.weight);
  const stored = seesEvidence(reviewer, row);
  // A candidate without a record of the reviewer's own is seen only with the stored evidence.
  const levels = best?.levels ?? (stored ? evidence.fields : {});
  const vetoes = stored ? evidence.vetoes : ownVetoes(subject.demographics, best, evidence.vetoes);
  // The own list shows that anyway.
  if (!stored && evidence.vetoes.includes('listed-apart')) vetoes.push('listed-apart');
  return {
    record: best?.shown ?? null,
    otherRecords: Math.max(0, records.length - 1),
    agreement: best?.agreements ?? agreementsOf(levels),
    reason: reasonOf(levels, vetoes),
    warnings: vetoes.map(warningOf),
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
