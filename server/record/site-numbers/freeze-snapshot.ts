/** Counts what the installation's own lists are like, and freezes that for the matcher (docs/matching.md, "A site's own numbers"). */

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ROSTER_DEMOGRAPHICS } from '#server/record/matching/queries.ts';
import { type TextRow, toRecords } from '#server/record/matching/subjects.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { type Counts, ListCounts, type NameField, PUBLISHED, sharesOf } from '#server/record/scoring/list-counts.ts';

const PERSONS_PER_READ = 5000;

/** Counts everyone who is or was on a list. `db`: the pipeline's; it reads some thousand persons at a time. */
export async function countLists(db: Queryable): Promise<ListCounts> {
  const counts = new ListCounts();
  let persons: string[] = [];
  do {
    const { rows: next } = await db.query<{ id: string }>(sql`
      select id from persons where id > ${persons.at(-1) ?? '0'} order by id limit ${PERSONS_PER_READ}`);
    persons = next.map(({ id }) => id);
    const { rows } = await db.query<TextRow>(sql`
      select 'ROSTER_PATIENT' as kind, r.id, r.group_id as "groupId", r.person_id as "personId", ${ROSTER_DEMOGRAPHICS}::text as demographics
      from roster_patients r where r.person_id = any (${persons}::bigint[])`);
    for (const listings of Map.groupBy(toRecords(rows), ({ personId }) => personId).values())
      counts.add(listings.map(({ demographics }) => demographics));
  } while (persons.length > 0);
  return counts;
}

/** A name whose share in the score changes. */
export interface NameChange {
  field: NameField;
  name: string;
  people: number;
  before: number;
  after: number;
}

/** A snapshot to be taken: what it holds, and which shares change by it, the largest gain first. */
export interface ProposedSnapshot extends Omit<ListSnapshot, 'number' | 'persons'> {
  people: number;
  changes: NameChange[];
  /** Whether anything differs from the snapshot that counts now. */
  isNew: boolean;
}

type Shares = Pick<ListSnapshot, NameField>;

/** Returns the snapshot that these counts make, compared with the one that counts now (`before`; null for none). */
export function proposeSnapshot(
  counts: Counts,
  before: Omit<ListSnapshot, 'number' | 'persons'> | null,
): ProposedSnapshot {
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
    housemates: counts.housemates,
    isNew: changed.length > 0 || counts.housemates !== before?.housemates,
    changes: changed.toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.name < b.name ? -1 : 1)),
  };
}

/** Stores a snapshot, which counts from now on, and returns its number. */
export async function freezeSnapshot(
  db: Queryable,
  { people, given, family, housemates }: ProposedSnapshot,
  now: Date,
): Promise<number> {
  const asJson = (shares: ReadonlyMap<string, number>): string => JSON.stringify(Object.fromEntries(shares));
  const { rows } = await db.query<{ number: number }>(sql`
    insert into list_snapshots (created_at, people, given_names, family_names, housemates, persons)
    select ${now}, ${people}, ${asJson(given)}::jsonb, ${asJson(family)}::jsonb, ${housemates}, count(*) from persons returning number`);
  const [row] = rows;
  if (row === undefined) throw new Error('The snapshot was not stored');
  return row.number;
}
