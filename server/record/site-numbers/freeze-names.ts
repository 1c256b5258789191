/** Counts how common names are on the installation's own lists, and freezes that for the matcher (docs/matching.md, "A site's own numbers"). */

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { familyNameShare, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import { normalizeName, UNNAMED_NEWBORN } from '#server/record/scoring/names.ts';

/** Names that fewer people have are not stored: they might point to someone. */
export const FEWEST_PEOPLE = 20;
const PERSONS_PER_READ = 5000;

type NameField = 'given' | 'family';
const PUBLISHED: Record<NameField, (name: string) => number> = { given: givenNameShare, family: familyNameShare };

/** How many people have each name, normalized as the matcher compares it. Someone listed under two names has both. */
export interface NameCounts {
  people: number;
  given: Map<string, number>;
  family: Map<string, number>;
}

interface ListedName {
  personId: string;
  given: string;
  family: string;
}

/** Counts everyone who is or was on a list. `db`: the pipeline's; it reads some thousand persons at a time. */
export async function countNames(db: Queryable): Promise<NameCounts> {
  const counts: NameCounts = { people: 0, given: new Map(), family: new Map() };
  let persons: string[] = [];
  do {
    const { rows: next } = await db.query<{ id: string }>(sql`
      select id from persons where id > ${persons.at(-1) ?? '0'} order by id limit ${PERSONS_PER_READ}`);
    persons = next.map(({ id }) => id);
    const { rows } = await db.query<ListedName>(sql`
      select distinct person_id as "personId", first_name as given, last_name as family
      from roster_patients where person_id = any (${persons}::bigint[])`);
    for (const listed of Map.groupBy(rows, ({ personId }) => personId).values()) countPerson(counts, listed);
  } while (persons.length > 0);
  return counts;
}

function countPerson(counts: NameCounts, listed: readonly ListedName[]): void {
  const names = listed.map(({ given, family }) => normalizeName({ given, family, middle: null, suffix: null }));
  counts.people++;
  for (const field of ['given', 'family'] as const) {
    const whole = names.map((name) => name[field]?.replaceAll(' ', '') ?? '');
    for (const name of new Set(whole))
      if (name.length > 1 && name !== UNNAMED_NEWBORN) counts[field].set(name, (counts[field].get(name) ?? 0) + 1);
  }
}

/** A name whose share in the score changes. */
export interface NameChange {
  field: NameField;
  name: string;
  people: number;
  before: number;
  after: number;
}

/** A snapshot to be taken: what it holds, and what changes by it, the largest gain first. */
export interface ProposedSnapshot {
  people: number;
  given: ReadonlyMap<string, number>;
  family: ReadonlyMap<string, number>;
  changes: NameChange[];
}

type Shares = Record<NameField, ReadonlyMap<string, number>>;

/** Returns the snapshot that these counts make, compared with the shares that count now (`before`; null for the published ones alone). */
export function proposeSnapshot(counts: NameCounts, before: Shares | null): ProposedSnapshot {
  const shares = { given: sharesOf(counts, 'given'), family: sharesOf(counts, 'family') };
  const changes = (['given', 'family'] as const).flatMap((field) => {
    const inForce = (from: Shares | null, name: string): number =>
      Math.max(PUBLISHED[field](name), from?.[field].get(name) ?? 0);
    const names = new Set([...shares[field].keys(), ...(before?.[field].keys() ?? [])]);
    return [...names].map((name): NameChange => {
      const people = counts[field].get(name) ?? 0;
      return { field, name, people, before: inForce(before, name), after: inForce(shares, name) };
    });
  });
  const changed = changes.filter(({ before, after }) => before !== after);
  return {
    people: counts.people,
    ...shares,
    changes: changed.toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.name < b.name ? -1 : 1)),
  };
}

/** Returns the shares of names that are more common here than in the published tables, in millionths like those. */
function sharesOf(counts: NameCounts, field: NameField): Map<string, number> {
  const shares = [...counts[field]].flatMap(([name, people]): [string, number][] => {
    const share = Math.round((people / counts.people) * 1e6) / 1e6;
    return people >= FEWEST_PEOPLE && share > PUBLISHED[field](name) ? [[name, share]] : [];
  });
  return new Map(shares);
}

/** Stores a snapshot, which counts from now on, and returns its number. */
export async function freezeNames(
  db: Queryable,
  { people, given, family }: ProposedSnapshot,
  now: Date,
): Promise<number> {
  const asJson = (shares: ReadonlyMap<string, number>): string => JSON.stringify(Object.fromEntries(shares));
  const { rows } = await db.query<{ number: number }>(sql`
    insert into name_snapshots (created_at, people, given_names, family_names)
    values (${now}, ${people}, ${asJson(given)}::jsonb, ${asJson(family)}::jsonb) returning number`);
  const [row] = rows;
  if (row === undefined) throw new Error('The snapshot was not stored');
  return row.number;
}
