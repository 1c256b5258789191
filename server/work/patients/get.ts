import type { Patient } from '#contract/patients.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { areSimilarNames, differingParts } from '#server/platform/text/similar-names.ts';
import { loadPatients } from './load.ts';
import { listingsOf, similarListings } from './queries.ts';

/** One patient, with a warning where the team's lists hold somebody whom one may take for him or her. Errors: NOT_FOUND. */
export async function getPatient(tx: ActorTransaction, patientId: string, now: Date): Promise<Patient> {
  const { personId, encounterId } = await resolvePatient(tx, patientId);
  const [patient] = await loadPatients(tx, [{ personId, encounterId }], now);
  if (!patient) throw new ApiError('NOT_FOUND');
  return {
    ...patient,
    similarPatients: await similarPatients(tx, personId, new Set(tx.actor.groupsWith('canViewAllPatientDetails'))),
  };
}

const SHOWN = 5;

async function similarPatients(
  tx: ActorTransaction,
  personId: string,
  detailed: ReadonlySet<string>,
): Promise<Patient['similarPatients']> {
  const listings = await listingsOf(tx, [personId]);
  const own = listings.find((listing) => listing.leftAt === null) ?? listings[0];
  if (!own) return [];
  const person = { family: own.lastName, given: own.firstName, birthDate: own.dateOfBirth };
  const similar = await similarListings(tx, own);
  return (
    similar
      .filter((other) =>
        areSimilarNames(person, { family: other.lastName, given: other.firstName, birthDate: other.dateOfBirth }),
      )
      // First who was born nearly on the same day.
      .toSorted(
        (a, b) => differingParts(a.dateOfBirth, own.dateOfBirth) - differingParts(b.dateOfBirth, own.dateOfBirth),
      )
      .slice(0, SHOWN)
      .map((other) => ({
        id: `${other.id}_0`,
        name: `${other.lastName.toUpperCase()}, ${other.firstName}`,
        dateOfBirth: other.dateOfBirth,
        memberId: detailed.has(other.groupId) ? other.memberId : null,
      }))
  );
}
