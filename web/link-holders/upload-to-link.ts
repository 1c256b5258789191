import { pathOf } from '../api/call.ts';
import { errorFrom } from '../api/error.ts';

/** Sends a file as the answer to a link. The proof comes before the file, which the server does not receive without it. Throws ApiError; TypeError if the connection broke. */
export const uploadToLink = async (proofAndSender: object, file: File): Promise<void> => {
  const body = new FormData();
  body.append('upload', JSON.stringify(proofAndSender));
  body.append('file', file);
  const answer = await fetch(pathOf('POST /api/facility-links/upload', {}), {
    method: 'POST',
    credentials: 'same-origin',
    body,
  });
  if (!answer.ok) throw errorFrom(answer.status, answer.statusText, await answer.text());
};
