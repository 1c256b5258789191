import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/** What busboy throws for a body that is no form: no boundary, or one that does not occur. */
const NOT_A_FORM = /^(Multipart: Boundary not found|Unexpected end of multipart data)$/;

/**
 * Returns the file that a form sends in its field `file`; undefined for any other body. Accepts one byte more than `maxBytes`, so that the
 * reader notices: the parser would silently truncate the file.
 */
export async function uploadedFile(request: FastifyRequest, maxBytes: number): Promise<MultipartFile | undefined> {
  if (!request.isMultipart()) return undefined;
  try {
    const part = await request.file({ limits: { fileSize: maxBytes + 1 } });
    return part?.fieldname === 'file' ? part : undefined;
  } catch (error) {
    if (error instanceof Error && NOT_A_FORM.test(error.message)) return undefined;
    throw error;
  }
}
