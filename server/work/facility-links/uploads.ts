/** The file that the holder of a link uploads: received once the birth date was right, checked, and kept with the link until its message is stored. */
import { DOCUMENT_MAX_BYTES } from '#contract/document-limits.ts';
import type { LinkPurpose } from '#contract/facility-link-words.ts';
import type { LinkProof, LinkUpload } from '#contract/facility-links.ts';
import type { CheckUpload } from '#server/intake/documents/read-upload.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { receiveFile, type SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { addTarget } from '#server/work/notifications/post-notification.ts';
import { linkOf } from '#server/work/notifications/texts.ts';
import { auditHolder, type HolderCall, type HolderDeps, mailOfCreator, prove } from './holders.ts';
import { uploadedLetter } from './letters.ts';
import type { KeptUpload } from './queries.ts';
import { sendAnswers } from './send-answers.ts';
import { isInUse } from './stay.ts';

export interface UploadDeps extends HolderDeps {
  check: CheckUpload;
  slowest?: typeof SLOWEST_UPLOAD;
}

export interface HeldUpload {
  proof: LinkProof;
  /** Who uploads. */
  by: Pick<LinkUpload, 'contactName' | 'contactPhone' | 'note'>;
  file: AsyncIterable<Uint8Array>;
}

const PURPOSE: LinkPurpose = 'UPLOAD_SUMMARY';
const TOO_LARGE = `The file is larger than ${DOCUMENT_MAX_BYTES / 1024 / 1024} MB, so it was not sent. Choose a smaller file.`;
const STALLED = 'The file stopped arriving, so it was not sent. Check your connection, then send it again.';
const EMPTY = 'The file is empty, so it was not sent. Choose another file.';

/**
 * Keeps the file with the link, which ends it, and hands it to the message store. Errors: as of `openLink`; TOO_LARGE, UPLOAD_STALLED; BAD_REQUEST
 * for a file that is no document, can't be read, or is about another patient.
 */
export async function uploadByLink(deps: UploadDeps, call: HolderCall, { proof, by, file }: HeldUpload): Promise<void> {
  const { link, stay } = await prove(deps, call, proof, PURPOSE);
  const bytes = await receiveFile(file, {
    most: DOCUMENT_MAX_BYTES,
    slowest: deps.slowest,
    tooLarge: TOO_LARGE,
    stalled: STALLED,
  });
  if (bytes.length === 0) throw badFieldInMessage('file', EMPTY);
  const { name, birthDate } = stay.demographics;
  const patient = { ...(name && { name }), ...(birthDate && { birthDate }) };
  const checked = await deps.check({ bytes, timeZone: stay.timeZone, patient });
  if ('refusal' in checked) throw badFieldInMessage('file', checked.refusal);
  const { kind } = checked;
  const hasEnded = stay.state.status === 'FINISHED';
  const answer: KeptUpload = { ...by, kind, size: bytes.length, hasEnded };
  await deps.pipeline.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql`
      update facility_links l set answered_at = ${call.now}, answer = ${JSON.stringify(answer)}, file = ${bytes}
      where l.id = ${link.id} and ${isInUse(call.now)}`);
    // Someone else with the link was faster.
    if (rowCount === 0) throw new ApiError('LINK_NOT_VALID');
    await auditHolder(tx, call, link, 'facility-link.upload', { kind, size: bytes.length });
    const patientId = `${link.rosterPatientId}_${stay.encounterId}`;
    const target = { userId: link.createdBy, teamId: link.teamId, filterId: null, searchContext: 'PINGS' as const };
    const { uuid } = await addTarget(tx, { ...target, patientId, opensDocuments: true, pings: 0 }, call.now);
    const opened = linkOf({ uuid, publicUrl: deps.publicUrl }, 'e-mail');
    const text = uploadedLetter({ createdAt: new Date(link.createdAt), link: opened });
    for (const recipient of await mailOfCreator(tx, link))
      await postLetter(tx, { channel: 'e-mail', recipient, ...text }, call.now);
  });
  await sendAnswers(deps, { id: link.id });
}
