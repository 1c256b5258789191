/** Which patients of a list have somebody beside them whom one may take for them (ux: a badge in lists). */
import type { ActorTransaction } from '#server/access/door.ts';
import { mayReadListing } from '#server/access/policy.ts';
import { sql } from '#server/database/sql.ts';
import { areSimilarNames } from '#server/matching/similar-names.ts';

interface Pair {
  rosterPatientId: string;
  family: string;
  given: string;
  birthDate: string | null;
  otherFamily: string;
  otherGiven: string;
  otherBirthDate: string | null;
}

/**
 * Those of the patients who have a namesake in the team's lists: the rule of the banner (`get.ts`), for family names that begin with
 * the same three letters, so that a page of rows is looked through by index. Unknown ids are none.
 */
export async function withNamesakes(tx: ActorTransaction, patientIds: readonly string[]): Promise<string[]> {
  const listingOf = (patientId: string) => patientId.slice(0, patientId.indexOf('_'));
  const pairs = await pairsOf(tx, patientIds.map(listingOf));
  const warned = new Set(
    pairs
      .filter((pair) =>
        areSimilarNames(pair, {
          family: pair.otherFamily,
          given: pair.otherGiven,
          birthDate: pair.otherBirthDate,
        }),
      )
      .map(({ rosterPatientId }) => rosterPatientId),
  );
  return patientIds.filter((patientId) => warned.has(listingOf(patientId)));
}

/**
 * As a range of names whose ends are made beforehand: under row-level security an index serves no condition that calls a function
 * which might leak.
 */
async function pairsOf(tx: ActorTransaction, listingIds: readonly string[]): Promise<Pair[]> {
  const { rows } = await tx.query<Pair>(sql`
    with own as materialized (
      select r.id, r.person_id, r.last_name, r.first_name, r.date_of_birth,
        left(r.sort_last, 3) as beginning, left(r.sort_last, 3) || ${'\u{10ffff}'} as ending
      from roster_patients r
      where r.id = any (${listingIds}::bigint[]) and r.date_of_birth is not null and r.sort_last <> ''
        and ${mayReadListing(tx.groupIds)})
    select own.id as "rosterPatientId", own.last_name as family, own.first_name as given, own.date_of_birth as "birthDate",
      other.last_name as "otherFamily", other.first_name as "otherGiven", other.date_of_birth as "otherBirthDate"
    from own cross join lateral (
      select r.last_name, r.first_name, r.date_of_birth from roster_patients r
      where ${mayReadListing(tx.groupIds)} and r.left_at is null and r.person_id <> own.person_id
        and r.sort_last >= own.beginning and r.sort_last < own.ending
        and (extract(year from r.date_of_birth) = extract(year from own.date_of_birth)
          or to_char(r.date_of_birth, 'MMDD') = to_char(own.date_of_birth, 'MMDD'))
      limit 200) other`);
  return rows;
}
