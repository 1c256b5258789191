/**
 * Tags that a team gives to its patients (docs/decisions/0054). Each is set on a listing of the patient by one of the team's groups; tags
 * of rosters are another matter, since each upload replaces them.
 */
import { MOST_TAGS_OF_PATIENT, MOST_TAGS_OF_TEAM, type PatientTags, type Tag } from '#contract/tags.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import {
  addTag,
  countOwnTags,
  countTags,
  listingIdsOf,
  removeTags,
  setTags,
  tagNamed,
  tagsOfPerson,
} from './queries.ts';

/** Creates a tag of the actor's team, or returns the one that has this name already. Errors: BAD_REQUEST if the team has too many. */
export async function createTag(tx: ActorTransaction, name: string, { now, requestId }: CallStamp): Promise<Tag> {
  const existing = await tagNamed(tx, name);
  if (existing) return existing;
  if ((await countTags(tx)) >= MOST_TAGS_OF_TEAM) {
    const message = `Your team already has ${MOST_TAGS_OF_TEAM} tags. Use one of them.`;
    throw badFieldInMessage('name', message);
  }
  // Someone else may have added it since.
  const tag = (await addTag(tx, name, now)) ?? (await tagNamed(tx, name));
  if (!tag) throw new ApiError('BUSY');
  await writeAudit(tx, {
    action: 'tags.create',
    subject: 'team',
    subjectId: tx.actor.teamId,
    detail: { tagId: tag.id },
    now,
    requestId,
  });
  return tag;
}

/** Returns a patient's tags. Errors: NOT_FOUND. */
export async function patientTags(tx: ActorTransaction, patientId: string): Promise<PatientTags> {
  const { personId } = await resolvePatient(tx, patientId);
  return tagsOfPerson(tx, personId);
}

/** The tags a patient should have, and those that the caller saw, if it says so. */
export interface WantedTags {
  tagIds: readonly string[];
  expectedTagIds?: readonly string[] | undefined;
}

/**
 * Sets and removes the team's tags of a patient, and returns the tags that the patient then has. Errors: NOT_FOUND; BAD_REQUEST for a tag that the
 * team doesn't have, and for too many.
 */
export async function changeTags(
  tx: ActorTransaction,
  patientId: string,
  { tagIds, expectedTagIds }: WantedTags,
  { now, requestId }: CallStamp,
): Promise<PatientTags> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const listingIds = await listingIdsOf(tx, personId);
  const had = (await tagsOfPerson(tx, personId)).tags.map(({ id }) => id);
  const removed = (expectedTagIds ?? had).filter((id) => !tagIds.includes(id) && had.includes(id));
  const added = [...new Set(tagIds)].filter((id) => !expectedTagIds?.includes(id) && !had.includes(id));
  const [listingId] = listingIds;
  if (listingId === undefined) throw new ApiError('NOT_FOUND');
  if (had.length - removed.length + added.length > MOST_TAGS_OF_PATIENT)
    throw refuse(`A patient can have ${MOST_TAGS_OF_PATIENT} tags at most. Remove one first.`);
  if (added.length > 0 && (await countOwnTags(tx, added)) < added.length)
    throw refuse("Your team doesn't have this tag. Nothing was changed. Reload the page, then try again.");
  if (removed.length > 0) await removeTags(tx, listingIds, removed);
  if (added.length > 0) await setTags(tx, listingId, added, now);
  await noteChange(tx);
  await writeAudit(tx, {
    action: 'patient.set-tags',
    subject: 'patient',
    subjectId: rosterPatientId,
    detail: { added, removed },
    now,
    requestId,
  });
  return tagsOfPerson(tx, personId);
}

const refuse = (message: string): ApiError => badFieldInMessage('tagIds', message);
