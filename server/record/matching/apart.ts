/**
 * Source patients who have visits under a record number that someone else had first (`fold/record-holders.ts`), or whom the facility
 * merged with someone else (`fold/held-merges.ts`). Their demographics contradict the other patient's, so the number says nothing about
 * who they are, and a person has to decide.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { type Decision, decide, type KnownPerson, type RankedCandidate } from '#server/record/scoring/decide.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { idsOf, type Link } from './queries.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/** Source patients who must not be taken for one another, by `subjectKey`. */
export interface KeptFrom {
  /** The one who had the record number first. */
  apart: ReadonlyMap<string, Subject>;
  /** The one into whom the facility merged the source patient, which a person has to confirm. */
  held: ReadonlyMap<string, Subject>;
}

/** Loads this for the subjects, and for those who are kept from one of them. */
export async function loadKeptFrom(db: Queryable, subjects: readonly Subject[]): Promise<KeptFrom> {
  const sources = idsOf(subjects.filter(({ kind }) => kind === 'SOURCE_PATIENT'));
  if (sources.length === 0) return { apart: new Map(), held: new Map() };
  const { rows } = await db.query<{ id: string; apartFrom: string | null; mergeHeld: string | null }>(sql`
    select id, apart_from as "apartFrom", merge_held as "mergeHeld" from source_patients
    where (apart_from is not null or merge_held is not null) and id = any (${sources}::bigint[])
    union select id, apart_from, merge_held from source_patients where apart_from = any (${sources}::bigint[])
    union select id, apart_from, merge_held from source_patients where merge_held = any (${sources}::bigint[])`);
  const source = (id: string): Subject => ({ kind: 'SOURCE_PATIENT', id });
  const byKey = (other: 'apartFrom' | 'mergeHeld') =>
    new Map(rows.flatMap((row) => (row[other] ? [[subjectKey(source(row.id)), source(row[other])]] : [])));
  return { apart: byKey('apartFrom'), held: byKey('mergeHeld') };
}

/** Returns those of whom the map says from whom they are kept. */
export const keptSubjects = ({ apart, held }: KeptFrom): Subject[] =>
  [...apart.keys(), ...held.keys()].map((key) => {
    const [, id = ''] = key.split(':');
    return { kind: 'SOURCE_PATIENT', id };
  });

/**
 * Decides who someone is who shares a record number with `first`: a review, even if the demographics would link a listed person,
 * because one of the two was registered wrongly. Except if the demographics alone link `first`: then they were corrected.
 */
export function decideApart(
  { demographics }: SubjectRecord,
  first: KnownPerson,
  people: readonly KnownPerson[],
  snapshot: ListSnapshot | null,
): Decision {
  const decision = decide(demographics, people, { snapshot });
  if (decision.outcome === 'matched' && decision.personId === first.personId) return decision;
  const byNumber = contradicted(demographics, first, snapshot);
  if (byNumber === null) return decision;
  const others = decision.candidates.filter(({ personId }) => personId !== first.personId);
  return { outcome: 'review', candidates: [byNumber, ...others], evidence: byNumber.evidence };
}

/** Returns the person whom a facility's record number means and the demographics contradict, as a candidate. */
export function contradicted(
  demographics: NormalizedDemographics,
  person: KnownPerson,
  snapshot: ListSnapshot | null,
): RankedCandidate | null {
  const { evidence } = decide(demographics, [], { knownRecord: person, snapshot });
  if (evidence === null) return null;
  const vetoes = new Set([...evidence.vetoes, 'record-number-contradicted' as const]);
  return { personId: person.personId, evidence: { ...evidence, vetoes: [...vetoes] } };
}

/** What the evidence of such a link says, so that a review can end by itself once the number is no longer shared. */
export const APART = { isApart: true };

export const wasApart = (link: Link | undefined): boolean => link?.evidence.isApart === true;
