/**
 * Stored documents → what people read. Pure, and run in threads: anyone may send a file that takes seconds to read. What takes longer than
 * the threads allow is offered as a download.
 */
import type { PatientOfPage } from '#contract/document-words.ts';
import { type CcdEntry, type CcdSummary, ccdSummary } from '#contract/documents.ts';
import { ReadyAnswer } from '#server/people/access/route.ts';
import { type RunTask, TaskEndedError } from '#server/platform/threads/task-threads.ts';
import { bytesFrom, modelFrom } from '#server/record/documents/store-contents.ts';
import { htmlOf, htmlOfText } from './html.ts';
import { medicationChanges, medicationsOf } from './medication-changes.ts';
import { textOfRtf } from './rtf-text.ts';

/** What was read from a clinical document, compressed. */
export interface StoredModel {
  uuid: string;
  title: string;
  writtenAt: string | null;
  model: Uint8Array;
}

/** A document as it is stored. */
export interface StoredDocument {
  entry: CcdEntry;
  model: Uint8Array | null;
  /** The bytes of its words, compressed. */
  words: { kind: 'rtf' | 'text'; stored: Uint8Array } | null;
  file: CcdSummary['file'];
  /** Documents to compare it with, the first one first. */
  before: readonly StoredModel[];
}

/** What a thread is asked: an answer of the API, or a page about a patient. */
export type ReadingTask =
  | { kind: 'document'; stored: StoredDocument }
  | { kind: 'document-page'; stored: StoredDocument; patient: PatientOfPage };

/** Characters of a text that are shown; the whole is in the file. */
const LONGEST_TEXT = 500_000;

/** Performs a task in the current thread: returns the JSON of the answer, or HTML. */
export function readStored(task: ReadingTask): Uint8Array {
  const summary = summaryOf(task.stored);
  const written = task.kind === 'document' ? JSON.stringify(ccdSummary.parse(summary)) : pageOf(summary, task.patient);
  // Not from the pool that small buffers share: the bytes are handed over.
  return new TextEncoder().encode(written);
}

function summaryOf({ entry, model, words, file, before }: StoredDocument): CcdSummary {
  const document = model && modelFrom(model);
  const medications = document && medicationsOf(document);
  return {
    entry,
    document,
    text: words && textOf(words),
    file,
    medicationChanges: medications && changesSince(before, medications),
  };
}

function textOf({ kind, stored }: NonNullable<StoredDocument['words']>): string {
  const bytes = bytesFrom(stored);
  if (kind === 'rtf') return textOfRtf(bytes.toString('latin1'), LONGEST_TEXT).slice(0, LONGEST_TEXT);
  return bytes.toString('utf8').slice(0, LONGEST_TEXT);
}

function changesSince(
  before: StoredDocument['before'],
  medications: NonNullable<ReturnType<typeof medicationsOf>>,
): CcdSummary['medicationChanges'] {
  for (const { uuid, title, writtenAt, model } of before) {
    const old = medicationsOf(modelFrom(model));
    if (old)
      return {
        sinceUuid: uuid,
        sinceTitle: title,
        sinceWrittenAt: writtenAt,
        changes: medicationChanges(old, medications),
      };
  }
  return { sinceUuid: null, sinceTitle: null, sinceWrittenAt: null, changes: [] };
}

/** A document as a page about the patient; a PDF or picture is named, to be opened as a file. */
function pageOf({ document, entry, text }: CcdSummary, patient: PatientOfPage): string {
  if (document && document.body === null) return htmlOf(document, entry, patient);
  const words = text ?? 'This document is a file. Open it from the list of documents.';
  return htmlOfText(entry, words, document, patient);
}

const TOO_LONG = 'Reading this document took too long, so it was stopped and is not shown here.';

/** Returns what is in a document, read in a thread; one that takes too long, without its contents. Errors: TOO_MANY_REQUESTS. */
export async function openStored(run: RunTask, userId: string, stored: StoredDocument): Promise<ReadyAnswer> {
  try {
    return new ReadyAnswer((await run(userId, { kind: 'document', stored } satisfies ReadingTask)) as Uint8Array);
  } catch (error) {
    if (!(error instanceof TaskEndedError)) throw error;
    const { entry, file } = stored;
    const problem = `${TOO_LONG} Download it to read it.`;
    const summary = { entry: { ...entry, problem }, document: null, text: null, file, medicationChanges: null };
    return new ReadyAnswer(new TextEncoder().encode(JSON.stringify(ccdSummary.parse(summary))));
  }
}

/** Returns a document as a page, read in a thread; of one that takes too long, a page that says so. Errors: TOO_MANY_REQUESTS. */
export async function pageOfStored(
  run: RunTask,
  userId: string,
  { stored, patient }: { stored: StoredDocument; patient: PatientOfPage },
): Promise<Buffer> {
  try {
    const page = await run(userId, { kind: 'document-page', stored, patient } satisfies ReadingTask);
    return Buffer.from(page as Uint8Array);
  } catch (error) {
    if (!(error instanceof TaskEndedError)) throw error;
    const words = `${TOO_LONG} Download it from the list of documents to read it.`;
    return Buffer.from(htmlOfText(stored.entry, words, null, patient));
  }
}
