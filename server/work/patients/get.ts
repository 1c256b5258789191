import type { Patient } from '#contract/patients.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { differingParts } from '#server/platform/text/similar-names.ts';
import { firstCurrent } from './current-listings.ts';
import { linksOf } from './links-out.ts';
import { type LoadedPatient, loadRows } from './load.ts';
import { listingsOf, similarListings } from './queries.ts';
import { areSimilarNames } from './similar-names.ts';

/** Returns one patient and what it was made from, with people on the team's lists who could be mistaken for this patient. Errors: NOT_FOUND. */
export async function getPatient(tx: ActorTransaction, patientId: string, now: Date): Promise<LoadedPatient> {
  const { personId, encounterId } = await resolvePatient(tx, patientId);
  const [loaded] = await loadRows(tx, [{ personId, encounterId, showsEvents: true }], now);
  if (!loaded) throw new ApiError('NOT_FOUND');
  const similar = await similarPatients(tx, personId, new Set(tx.actor.groupsWith('canViewAllPatientDetails')));
  return { ...loaded, patient: { ...loaded.patient, ...(await linksOf(tx, personId)), similarPatients: similar } };
}

const MOST_SHOWN = 5;

async function similarPatients(
  tx: ActorTransaction,
  personId: string,
  detailed: ReadonlySet<string>,
): Promise<Patient['similarPatients']> {
  const listings = await listingsOf(tx, [personId]);
  const own = firstCurrent(listings, (listing) => listing.leftAt !== null);
  if (!own) return [];
  const person = { family: own.lastName, given: own.firstName, birthDate: own.dateOfBirth };
  const similar = await similarListings(tx, own);
  return (
    similar
      .filter((other) =>
        areSimilarNames(person, { family: other.lastName, given: other.firstName, birthDate: other.dateOfBirth }),
      )
      // The closest dates of birth first.
      .toSorted(
        (a, b) => differingParts(a.dateOfBirth, own.dateOfBirth) - differingParts(b.dateOfBirth, own.dateOfBirth),
      )
      .slice(0, MOST_SHOWN)
      .map((other) => ({
        id: `${other.id}_0`,
        name: `${other.lastName.toUpperCase()}, ${other.firstName}`,
        dateOfBirth: other.dateOfBirth,
        memberId: detailed.has(other.groupId) ? other.memberId : null,
        groupType: other.groupType,
      }))
  );
}
