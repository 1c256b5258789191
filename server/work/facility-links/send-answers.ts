/** Stores answers as messages. What a failure left unsent, a job stores later; the store knows what it has already. */
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { answerMessage, retractionMessage, uploadMessage, uploadRetraction } from './messages.ts';
import { type StoredAnswer, unsentAnswers } from './queries.ts';
import { type Stay, stayAbout } from './stay.ts';

export interface SendDeps {
  /** Connected as the pipeline role. */
  pipeline: Queryable;
  store: MessageStore;
}

/** Stores the messages of answers that have none yet: of one link, or of the first before a time. Returns how many answers it looked at. */
export async function sendAnswers(
  { pipeline, store }: SendDeps,
  of: { id: string } | { before: Date },
): Promise<number> {
  const answers = await unsentAnswers(pipeline, of);
  for (const stored of answers) {
    const stay = await stayAbout(pipeline, stored.about);
    // The message about the visit is gone.
    if (stay === null) continue;
    const messages = messagesOf(stored, stay);
    if (stored.messageId === null) {
      const { id } = await store.receive(messages.answer());
      await pipeline.query(sql`update facility_links set message_id = ${id}, file = null where id = ${stored.id}`);
    }
    if (stored.revoked === null) continue;
    const { id } = await store.receive(messages.retraction({ ...stored.revoked, at: new Date(stored.revoked.at) }));
    await pipeline.query(sql`update facility_links set retraction_id = ${id} where id = ${stored.id}`);
  }
  return answers.length;
}

function messagesOf(stored: StoredAnswer, { groupId, timeZone, recordNumber, state, demographics }: Stay) {
  const of = {
    id: stored.id,
    organization: stored.organization,
    about: stored.about.contentHash,
    answeredAt: new Date(stored.answeredAt),
    groupId,
    timeZone,
    recordNumber,
    visitNumber: state.visitNumbers[0] ?? null,
  };
  type By = Parameters<typeof retractionMessage>[1];
  if (stored.purpose === 'CONFIRM_DISCHARGE') {
    const answered = { ...of, answer: stored.answer };
    return { answer: () => answerMessage(answered), retraction: (by: By) => retractionMessage(answered, by) };
  }
  const { name, birthDate } = demographics;
  const patient = { ...(name && { name }), ...(birthDate && { birthDate }) };
  const uploaded = {
    ...of,
    contactName: stored.answer.contactName,
    hasEnded: stored.answer.hasEnded ?? true,
    file: stored.file,
    patient,
  };
  return { answer: () => uploadMessage(uploaded), retraction: (by: By) => uploadRetraction(uploaded, by) };
}
