/** The bytes of documents: each content once, compressed, in chunks. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateSync, inflate, inflateSync } from 'node:zlib';
import type { ClinicalDocument } from '#contract/clinical-documents.ts';
import { READER_VERSION } from '#server/intake/ccda/read-document.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Bytes. */
const CHUNK = 256 * 1024;

export interface Content {
  bytes: Buffer;
  mediaType: string;
  /** What a clinical document says; null for another content. */
  model: ClinicalDocument | null;
  problem: string | null;
}

/** Stores a content, unless it is stored already, and returns its id. */
export async function storeContent(
  tx: Queryable,
  { bytes, mediaType, model, problem }: Content,
  now: Date,
): Promise<string> {
  const sha256 = hash('sha256', bytes, 'buffer');
  const known = await contentOf(tx, sha256);
  const stored = model && deflateSync(JSON.stringify(model));
  const version = model === null ? null : READER_VERSION;
  if (known) {
    await tx.query(sql`
      update document_contents set model = ${stored}, reader_version = ${version}, problem = ${problem}
      where id = ${known} and reader_version is distinct from ${version}`);
    return known;
  }
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into document_contents (sha256, size, media_type, model, reader_version, problem, received_at)
    values (${sha256}, ${bytes.length}, ${mediaType}, ${stored}, ${version}, ${problem}, ${now})
    on conflict (sha256) do nothing returning id`);
  const [row] = rows;
  // Another worker stored it in the meantime.
  if (row === undefined) return (await contentOf(tx, sha256)) ?? '';
  const compressed = deflateSync(bytes);
  for (let position = 0; position * CHUNK < compressed.length; position += 1) {
    const chunk = compressed.subarray(position * CHUNK, (position + 1) * CHUNK);
    await tx.query(sql`
      insert into document_content_chunks (content_id, position, bytes) values (${row.id}, ${position}, ${chunk})`);
  }
  return row.id;
}

async function contentOf(tx: Queryable, sha256: Buffer): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(sql`select id from document_contents where sha256 = ${sha256}`);
  return rows[0]?.id;
}

const inflateAside = promisify(inflate);

/** Returns the bytes of a content, as they were sent. */
export async function bytesOf(tx: Queryable, contentId: string): Promise<Buffer> {
  const stored = await storedBytesOf(tx, contentId);
  return stored.length === 0 ? stored : inflateAside(stored);
}

/** Returns the bytes of a content as they are stored, compressed. */
export async function storedBytesOf(tx: Queryable, contentId: string): Promise<Buffer> {
  const { rows } = await tx.query<{ bytes: Buffer }>(sql`
    select bytes from document_content_chunks where content_id = ${contentId} order by position`);
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** Returns the bytes that are stored so. Not for the thread that serves people: it takes as long as the content is large. */
export const bytesFrom = (stored: Uint8Array): Buffer => (stored.length === 0 ? Buffer.alloc(0) : inflateSync(stored));

/** Returns what was read from a stored clinical document. Not for the thread that serves people, either. */
export const modelFrom = (stored: Uint8Array): ClinicalDocument =>
  JSON.parse(inflateSync(stored).toString()) as ClinicalDocument;
