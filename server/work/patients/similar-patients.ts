/** Finds patients with a similar name on the team's lists, for the badge in lists (docs/ux.md, patient identity). */
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { isBornNear } from './queries.ts';
import { areSimilarNames } from './similar-names.ts';

interface Pair {
  rosterPatientId: string;
  family: string;
  given: string;
  birthDate: string | null;
  otherFamily: string;
  otherGiven: string;
  otherBirthDate: string | null;
}

/** Returns the patients who have someone with a similar name on the team's lists, by the same rule as the warning in `get.ts`. Unknown ids are left out. */
export async function withSimilarPatients(tx: ActorTransaction, patientIds: readonly string[]): Promise<string[]> {
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

/** Compares the stored sound of last names: under row-level security, PostgreSQL uses no index for a condition that calls a non-leakproof function. */
async function pairsOf(tx: ActorTransaction, listingIds: readonly string[]): Promise<Pair[]> {
  const { rows } = await tx.query<Pair>(sql`
    with own as materialized (
      select r.id, r.person_id, r.last_name, r.first_name, r.date_of_birth, r.sound_last
      from roster_patients r
      where r.id = any (${listingIds}::bigint[]) and r.sound_last <> '' and ${mayReadListing(tx.groupIds)})
    select own.id as "rosterPatientId", own.last_name as family, own.first_name as given, own.date_of_birth as "birthDate",
      other.last_name as "otherFamily", other.first_name as "otherGiven", other.date_of_birth as "otherBirthDate"
    from own cross join lateral (
      select r.last_name, r.first_name, r.date_of_birth from roster_patients r
      where ${mayReadListing(tx.groupIds)} and r.left_at is null and r.person_id <> own.person_id
        and r.sound_last = own.sound_last
        and ${isBornNear(sql`own.date_of_birth`)}
      limit 1000) other`);
  return rows;
}
