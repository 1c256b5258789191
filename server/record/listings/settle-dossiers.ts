/** Facts → visits → persons → listings → pings, for whole dossiers. The same facts and decisions always come to the same. */
import type { Transaction } from '#server/platform/database/pool.ts';
import { adoptDocuments, tieDocuments } from '#server/record/documents/tie-documents.ts';
import { lockDossiersOf, type Unsettled } from '#server/record/encounters/dossiers.ts';
import { writeDemographics } from '#server/record/encounters/queries.ts';
import { type RefoldedPatient, refold } from '#server/record/encounters/refold.ts';
import { writeFirstVisits } from '#server/record/encounters/write-visits.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { mergeSourcePatients, releaseMerged } from '#server/record/matching/merges.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { amendedAgain } from '#server/record/pings/amended-again.ts';
import {
  publishPings,
  resendMoved,
  sendOpenVisits,
  sendPings,
  sendReplacements,
  syncPings,
} from '#server/record/pings/notify.ts';
import { reopenRedirected } from '#server/record/pings/redirected.ts';
import { listAtFacility } from './facility-listing.ts';
import { admitHeld } from './held.ts';
import { recordOpenings } from './openings.ts';

export interface SettleOptions {
  /** The messages are not new: events that they turn out to report are sent only in the place of ones that were retracted, and visits that move to
   * another person only while they are open (docs/decisions/0088). */
  isRebuild?: boolean;
}

/** Requires the locks that `placeFacts` or `lockDossiersOf` took on the dossiers. */
export async function settleDossiers(
  tx: Transaction,
  unsettled: Unsettled,
  now: Date,
  { isRebuild = false }: SettleOptions = {},
): Promise<void> {
  const { first, amended, encounters, begun, patients, ...refolded } = await refold(tx, unsettled, now);
  const moved = await identifyPatients(tx, patients, now);
  const personOf = new Map(
    moved.flatMap(({ subject, to }) => (subject.kind === 'SOURCE_PATIENT' ? [[subject.id, to]] : [])),
  );
  const newEvents = [...refolded.newEvents, ...(await writeFirstVisits(tx, first, personOf, now))];
  // A facility's listings come before the pings, so that a nursing home hears about its resident from the first visit on.
  const listed = await listAtFacility(tx, patients, now);
  await recordOpenings(tx, { listingIds: [...listed, ...moved.flatMap(({ listingIds }) => listingIds)] }, { now });
  await admitHeld(
    tx,
    patients.map(({ id }) => id),
    now,
  );
  const sent = isRebuild ? [] : await sendPings(tx, newEvents);
  const updated = await syncPings(tx, encounters, now, begun);
  const redirected = await reopenRedirected(tx, amended, now);
  const again = await amendedAgain(tx, amended, [...updated, ...redirected]);
  const replaced = isRebuild ? await sendReplacements(tx, { newEvents, updated, encounters }, now) : [];
  await publishPings(tx, [...sent, ...updated, ...redirected, ...again, ...replaced], now);
  await adoptDocuments(tx, unsettled.added);
  await tieDocuments(tx, unsettled.dossierIds);
  // A first visit that belongs to a listed person is new. A rebuild sends nothing that is new, but such a visit.
  const found = isRebuild ? first.encounters.filter(({ sourcePatientId }) => personOf.has(sourcePatientId)) : [];
  const encounterIds = [...refolded.moved, ...found.map(({ id }) => id)];
  await resendMoved(tx, [...moved, { encounterIds, listingIds: [] }], now, { isOpenOnly: isRebuild });
  if (listed.length > 0) await sendOpenVisits(tx, listed, now);
}

/** Does this for the dossier of a source patient about whom a person decided: a merge may be carried out now, or held again. */
export async function settleDossierOf(tx: Transaction, sourcePatientId: string, now: Date): Promise<void> {
  const dossierIds = await lockDossiersOf(tx, [sourcePatientId]);
  await settleDossiers(tx, { dossierIds, added: [] }, now);
}

async function identifyPatients(tx: Transaction, patients: RefoldedPatient[], now: Date): Promise<Relinked[]> {
  const surviving = patients.filter(({ mergedInto }) => mergedInto === null);
  const changed = surviving
    .filter(({ mustBeIdentified, isDescribedElsewhere }) => mustBeIdentified && !isDescribedElsewhere)
    .map(({ id }) => id);
  const dossierAt = ({ dossierId, groupId }: RefoldedPatient) => `${dossierId}/${groupId}`;
  const patientsIn = Map.groupBy(patients, dossierAt);
  const connected = surviving.filter((patient) => (patientsIn.get(dossierAt(patient))?.length ?? 0) > 1);
  const released = await releaseMerged(
    tx,
    connected.map(({ id }) => id),
    { now },
  );
  const toIdentify = new Set([...changed, ...released.map(({ id }) => id)]);
  const { relinked } = await identifyAll(
    tx,
    [...toIdentify].map((id) => ({ kind: 'SOURCE_PATIENT', id })),
    { now },
  );
  const moved = [...relinked];
  for (const ofFacility of inTurn(patients)) {
    await writeDemographics(
      tx,
      ofFacility.filter(({ isChanged }) => isChanged),
      now,
    );
    const subjects = ofFacility.filter(({ mergedInto, mustBeIdentified }) => mergedInto === null && mustBeIdentified);
    const identified = await identifyAll(
      tx,
      subjects.map(({ id }) => ({ kind: 'SOURCE_PATIENT', id })),
      { now },
    );
    moved.push(...identified.relinked, ...(await mergePatients(tx, ofFacility, now)));
  }
  const others = patients.filter(({ isDescribedElsewhere }) => !isDescribedElsewhere);
  return [...moved, ...(await mergePatients(tx, others, now))];
}

const mergePatients = (tx: Transaction, patients: readonly RefoldedPatient[], now: Date): Promise<Relinked[]> => {
  const merges = patients.flatMap(({ id, mergedInto, mustBeIdentified }) =>
    mergedInto === null ? [] : [{ priorId: id, survivingId: mergedInto, isChanged: mustBeIdentified }],
  );
  return mergeSourcePatients(tx, merges, { now });
};

/**
 * Returns patients of dossiers in which a message of one facility describes another's patient, by facility. They are identified one
 * facility after the other, because they get the same demographics at once: each would be a candidate for the next, beside the one whom a
 * list names. First those with a merged number, whose demographics may look like a twin's.
 */
function inTurn(patients: readonly RefoldedPatient[]): RefoldedPatient[][] {
  const described = patients.filter(({ isDescribedElsewhere }) => isDescribedElsewhere);
  const byFacility = [...Map.groupBy(described, ({ dossierId, groupId }) => `${dossierId}/${groupId}`).values()];
  const hasAlias = (own: readonly RefoldedPatient[]) =>
    own.some(({ mergedInto, demographics }) => mergedInto && demographics.name);
  return byFacility.sort((a, b) => Number(Boolean(hasAlias(b))) - Number(Boolean(hasAlias(a))));
}
