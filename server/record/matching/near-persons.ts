/**
 * Whom an entry comes near to: persons to whom the matcher would link it if one more field were theirs. Whoever tries out a field has to come
 * near to its person with each entry, in whatever spelling, so these are counted for the person (docs/decisions/0030).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { soundex } from '#server/platform/text/soundex.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { decide, type KnownPerson } from '#server/record/scoring/decide.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { mayMatter } from '#server/record/scoring/may-matter.ts';
import { type Sketch, SSN, sketchOf } from '#server/record/scoring/sketch.ts';
import { entryOf, findByKeys, findByStarts } from './blocking-index.ts';
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
    findByKeys(db, [entryOf(entry)]),
    sharingParts(db, entry),
    mayBeInZip(db, entry),
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
function sharingParts(
  db: Queryable,
  { ssnLast4, houseNumber, streetName }: NormalizedDemographics,
): Promise<readonly Subject[]> {
  return findByStarts(db, [
    ...(ssnLast4 === null ? [] : [`S:${ssnLast4}`]),
    ...(houseNumber === null || streetName === '' ? [] : [`H:${houseNumber}:${soundex(streetName)}`]),
  ]);
}

/** Returns who lives in the ZIP code and may be the entry, by their sketches, if one more field were theirs. A name may be typed badly. */
async function mayBeInZip(db: Queryable, entry: NormalizedDemographics): Promise<Subject[]> {
  if (entry.zip === null) return [];
  const own = sketchOf(entry);
  const inZip = await findByStarts(db, [`Z:${entry.zip}`]);
  return inZip.filter(
    ({ sketch }) =>
      sketch === null ||
      mayMatter({ ...own, birthDate: sketch.birthDate }, sketch) ||
      mayMatter({ ...own, firsts: withSsnOf(sketch, own) }, sketch),
  );
}

const SSN_BITS = (1 << SSN[1]) - 1;
const withSsnOf = (theirs: Sketch, own: Sketch): number => (own.firsts & ~SSN_BITS) | (theirs.firsts & SSN_BITS);
