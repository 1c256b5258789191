/**
 * Source patients who have visits under a record number that someone else had first (`fold/record-holders.ts`). Their demographics
 * contradict the other patient's, so the number says nothing about who they are, and a person has to decide.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Decision, decide, type KnownPerson } from '#server/record/scoring/decide.ts';
import { idsOf, type Link } from './queries.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/** Returns by `subjectKey` the source patient who had the record number first, for the subjects and for those who share a number with one of them. */
export async function loadApart(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Subject>> {
  const sources = subjects.filter(({ kind }) => kind === 'SOURCE_PATIENT');
  if (sources.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; apartFrom: string }>(sql`
    select id, apart_from as "apartFrom" from source_patients
    where apart_from is not null and (id = any (${idsOf(sources)}::bigint[]) or apart_from = any (${idsOf(sources)}::bigint[]))`);
  const source = (id: string): Subject => ({ kind: 'SOURCE_PATIENT', id });
  return new Map(rows.map(({ id, apartFrom }) => [subjectKey(source(id)), source(apartFrom)]));
}

/**
 * Decides who someone is who shares a record number with `first`: a review, even if the demographics would link a listed person,
 * because one of the two was registered wrongly. Except if the demographics alone link `first`: then they were corrected.
 */
export function decideApart(
  { demographics }: SubjectRecord,
  first: KnownPerson,
  people: readonly KnownPerson[],
): Decision {
  const decision = decide(demographics, people);
  if (decision.outcome === 'matched' && decision.personId === first.personId) return decision;
  const byNumber = decide(demographics, [], { knownRecord: first }).evidence;
  if (byNumber === null) return decision;
  const evidence = { ...byNumber, vetoes: [...new Set([...byNumber.vetoes, 'record-number-contradicted' as const])] };
  const others = decision.candidates.filter(({ personId }) => personId !== first.personId);
  return { outcome: 'review', candidates: [{ personId: first.personId, evidence }, ...others], evidence };
}

/** What the evidence of such a link says, so that a review can end by itself once the number is no longer shared. */
export const APART = { isApart: true };

export const wasApart = (link: Link | undefined): boolean => link?.evidence.isApart === true;
