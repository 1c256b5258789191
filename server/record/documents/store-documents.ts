/** Documents of messages → rows. Whose they are follows from the facts of their messages (`tie-documents.ts`). */

import { saysDischarge } from '#server/intake/documents/describe.ts';
import type { ReceivedDocument } from '#server/intake/documents/received-document.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { storeContent } from './store-contents.ts';

/** A document that is not stored yet, with what its message says. */
export interface NewDocument {
  messageId: string;
  receivedAt: string;
  /** Its position among the documents of its message, from 0. */
  ordinal: number;
  groupId: string;
  /** When the message was sent; null if it doesn't say. */
  sentAt: string | null;
  document: ReceivedDocument;
}

const LONGEST = 500;
const cut = (text: string | null): string | null => text && text.slice(0, LONGEST);

/** Stores the documents. In a replay they take the place of those of `messageIds`, and keep their uuids. */
export async function storeDocuments(
  tx: Queryable,
  documents: readonly NewDocument[],
  messageIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    delete from documents d where d.message_id = any (${messageIds}::bigint[]) and not exists (
      select from unnest(${documents.map(({ messageId }) => messageId)}::bigint[], ${documents.map(({ ordinal }) => ordinal)}::int[])
        as n (message_id, ordinal) where n.message_id = d.message_id and n.ordinal = d.ordinal)`);
  for (const each of documents) await storeDocument(tx, each, now);
}

async function storeDocument(tx: Queryable, of: NewDocument, now: Date): Promise<void> {
  const { document: d, messageId, ordinal, groupId, receivedAt } = of;
  const contentId = d.bytes && (await storeContent(tx, { ...d, bytes: d.bytes }, now));
  const fileId = d.file && (await storeContent(tx, { ...d.file, model: null, problem: null }, now));
  const isDischarge = saysDischarge(d.typeCode, d.type ?? d.title);
  await tx.query(sql`
    insert into documents (message_id, ordinal, group_id, visit_numbers, visit_day, act, document_number, parent_number, content_id,
      file_id, kind, title, type_code, type, is_discharge_summary, author, custodian, written_at, written, is_restricted, sent_at, received_at,
      uploaded_by, uploaded_for)
    values (${messageId}, ${ordinal}, ${groupId}, ${d.visitNumbers}, ${d.visitDay}::date, ${d.act}, ${cut(d.number)}, ${cut(d.parentNumber)},
      ${contentId}, ${fileId}, ${d.kind}, ${cut(d.title)}, ${cut(d.typeCode)}, ${cut(d.type)}, ${isDischarge}, ${cut(d.author)},
      ${cut(d.custodian)}, ${d.writtenAt?.instant ?? receivedAt}, ${d.written}, ${d.isRestricted}, ${of.sentAt ?? receivedAt}, ${receivedAt},
      ${cut(d.uploadedBy)}, ${cut(d.uploadedFor)})
    on conflict (message_id, ordinal) do update set group_id = excluded.group_id, visit_numbers = excluded.visit_numbers,
      visit_day = excluded.visit_day, act = excluded.act, document_number = excluded.document_number,
      parent_number = excluded.parent_number, content_id = excluded.content_id, file_id = excluded.file_id, kind = excluded.kind,
      title = excluded.title, type_code = excluded.type_code, type = excluded.type,
      is_discharge_summary = excluded.is_discharge_summary, author = excluded.author, custodian = excluded.custodian,
      written_at = excluded.written_at, written = excluded.written, is_restricted = excluded.is_restricted, sent_at = excluded.sent_at,
      uploaded_by = excluded.uploaded_by, uploaded_for = excluded.uploaded_for`);
}
