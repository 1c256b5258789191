/**
 * Whom an entry comes near to: persons to whom the matcher would link it if one more field were theirs. Whoever tries out a field has to come
 * near to its person with each entry, in whatever spelling, so these are counted for the person (docs/decisions/0030).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { soundex } from '#server/platform/text/soundex.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { slip } from '#server/record/scoring/comparison.ts';
import { decide, type KnownPerson } from '#server/record/scoring/decide.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { findByKeys } from './blocking-index.ts';
import { newestSnapshot } from './list-snapshots.ts';
import { loadPersonsOf } from './queries.ts';
import type { Subject } from './subjects.ts';

/** The fields that have few enough values to be tried out. */
const TRIED = ['birthDate', 'ssnLast4', 'zip'] as const;

/** An entry would be linked to the person, if the field were the person's. */
export interface Near {
  personId: string;
  field: (typeof TRIED)[number];
}

/** Returns whom an entry comes near to, without those whom the group's organization lists: their details are known there. */
export async function personsNear(db: Queryable, entry: NormalizedDemographics, groupId: string): Promise<Near[]> {
  const [byKeys, byParts, inZip, snapshot] = await Promise.all([
    findByKeys(db, blockingKeys(entry)),
    sharingParts(db, entry),
    namedAlikeInZip(db, entry),
    newestSnapshot(db),
  ]);
  const found: Subject[] = [...[...byKeys.values()].flat(), ...byParts, ...inZip];
  if (found.length === 0) return [];
  const records = Map.groupBy(await loadPersonsOf(db, [], found), ({ personId }) => personId);
  const near = [...records].flatMap(([personId, own]) => {
    const person = { personId, records: own.map(({ demographics }) => demographics) };
    return TRIED.filter((field) => isNear(entry, person, field, snapshot)).map((field) => ({ personId, field }));
  });
  const listed = await listedBy(db, groupId, [...records.keys()]);
  return near.filter(({ personId }) => !listed.has(personId));
}

function isNear(
  entry: NormalizedDemographics,
  person: KnownPerson,
  field: Near['field'],
  snapshot: ListSnapshot | null,
): boolean {
  if (entry[field] === null) return false;
  const theirs = new Set(person.records.flatMap((record) => record[field] ?? []));
  return [...theirs].some(
    (value) => decide({ ...entry, [field]: value }, [person], { snapshot }).outcome === 'matched',
  );
}

async function listedBy(db: Queryable, groupId: string, personIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    select distinct r.person_id as id from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = any (${personIds}::bigint[]) and r.left_at is null
      and g.organization_id = (select organization_id from groups where id = ${groupId})`);
  return new Set(rows.map(({ id }) => id));
}

/** Returns who has the same SSN digits, or lives in a street that sounds alike under the same number, whatever the name is. */
async function sharingParts(db: Queryable, { ssnLast4, houseNumber, streetName }: NormalizedDemographics) {
  const starts = [
    ...(ssnLast4 === null ? [] : [`S:${ssnLast4}`]),
    ...(houseNumber === null || streetName === '' ? [] : [`H:${houseNumber}:${soundex(streetName)}`]),
  ];
  const { rows } = await db.query<Subject>(sql`
    select k.subject as kind, k.subject_id as id
    from unnest(${starts}::text[]) as s (start) join blocking_keys k on k.key >= s.start || ':' and k.key < s.start || ';'`);
  return rows;
}

/** Returns who lives in the ZIP code and has a name that may be one of the entry's, typed badly. */
async function namedAlikeInZip(db: Queryable, entry: NormalizedDemographics): Promise<Subject[]> {
  if (entry.zip === null) return [];
  const { rows } = await db.query<Subject & { names: string }>(sql`
    select n.subject as kind, n.subject_id as id, substr(n.key, 3) as names
    from blocking_keys z join blocking_keys n on n.subject = z.subject and n.subject_id = z.subject_id and n.key >= 'N:' and n.key < 'N;'
    where z.key >= ${`Z:${entry.zip}:`} and z.key < ${`Z:${entry.zip};`}`);
  const isAlike = likenessTo(entry);
  return rows.filter(({ names }) => names.split(':').some(isAlike));
}

function likenessTo({
  givenForms,
  givenParts,
  givenWhole,
  familyParts,
  familyWhole,
  formerFamilies,
}: NormalizedDemographics) {
  const names = new Set([...givenForms, ...givenParts, givenWhole, ...familyParts, familyWhole, ...formerFamilies]);
  const ours = [...names].filter((name) => name.length > 2);
  const isOurs = (theirs: string): boolean =>
    ours.some((name) => theirs.includes(name) || name.includes(theirs) || slip(name, theirs) !== null);
  // Many people have the same few names.
  const known = new Map<string, boolean>();
  return (theirs: string): boolean => {
    const isAlike = known.get(theirs) ?? (theirs.length > 1 && isOurs(theirs));
    known.set(theirs, isAlike);
    return isAlike;
  };
}
