/** Limits of documents. Without zod: the browser loads it as it is. */

/** Bytes of a document that a system posts, or that someone uploads by a link. */
export const DOCUMENT_MAX_BYTES = 16 * 1024 * 1024;
