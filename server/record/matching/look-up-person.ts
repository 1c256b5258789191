import type { Queryable } from '#server/platform/database/pool.ts';
import { decide } from '#server/record/scoring/decide.ts';
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { entryOf, findByKeys } from './blocking-index.ts';
import { Candidates } from './candidates.ts';
import { doubtfulPersons } from './doubtful-persons.ts';
import { newestSnapshot } from './list-snapshots.ts';
import { loadPersonsOf, loadSubjectsOf } from './queries.ts';
import type { Subject, SubjectRecord } from './subjects.ts';

/** Someone who is not stored as a subject, so that no other subject is ever compared with them. */
const subjectOf = (demographics: Demographics): SubjectRecord => ({
  kind: 'ROSTER_PATIENT',
  id: '0',
  groupId: '0',
  personId: '0',
  listedBy: null,
  demographics: normalize(demographics),
});

/**
 * Returns the person whom a roster row with these demographics would be linked to without review, or null. Changes nothing. Nobody is found
 * among persons whose own links are in doubt: what they know may be a stranger's. Nor is someone found whose birth date, ZIP code or SSN, where it is
 * known, is another one: a list is checked by its program afterwards, but what a look-up has shown was seen.
 */
export async function lookUpPerson(db: Queryable, demographics: Demographics): Promise<string | null> {
  const subject = subjectOf(demographics);
  const entry = entryOf(subject.demographics);
  const [hits, snapshot] = await Promise.all([findByKeys(db, [entry]), newestSnapshot(db)]);
  const found: Subject[] = [...hits.values()].flat();
  if (found.length === 0) return null;
  const known = await loadPersonsOf(db, [], found);
  const candidates = new Candidates(known, hits, new Map(), new Map());
  const decision = decide(subject.demographics, candidates.of(subject, entry.keys), { snapshot });
  if (decision.outcome !== 'matched') return null;
  const { personId } = decision;
  if (isContradicted(subject.demographics, candidates.recordsOf(personId))) return null;
  const doubtful = await doubtfulPersons(db, [personId]);
  return doubtful.has(personId) ? null : personId;
}

/** Whether what was given of birth date, ZIP code and SSN is known of the person, and agrees with none of their records. */
const isContradicted = (given: NormalizedDemographics, records: readonly SubjectRecord[]): boolean =>
  (['birthDate', 'zip', 'ssnLast4'] as const).some((field) => {
    const known = records.flatMap(({ demographics }) => demographics[field] ?? []);
    return given[field] !== null && known.length > 0 && !known.includes(given[field]);
  });

/** Returns whether a roster row with these demographics would be linked to the person without review, if nobody else were known. */
export async function isSamePerson(db: Queryable, demographics: Demographics, personId: string): Promise<boolean> {
  const [records, snapshot] = await Promise.all([loadSubjectsOf(db, [personId]), newestSnapshot(db)]);
  const person = { personId, records: records.map((record) => record.demographics) };
  return decide(normalize(demographics), [person], { snapshot }).outcome === 'matched';
}
