/**
 * Reads stored messages again, by today's reader and the feeds' present settings, and replaces the facts that read differently (docs/decisions/0088). Nothing is
 * sent a second time; a fact whose message's text is gone, or that gives none today, stays. Can be stopped at any moment and goes on where it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { feedsOf } from '#server/intake/feeds/feed-lookup.ts';
import type { PendingMessage } from '#server/intake/messages/queries.ts';
import { type ReadMessage, readMessage } from '#server/intake/messages/read-message.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import { applyFacts, factsOf, outcomesOf } from '#server/pipeline.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { DatabaseBusyError, DatabaseUnavailableError, isTransient } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import type { NewFact } from '#server/record/encounters/dossiers.ts';
import * as queries from './queries.ts';

export interface RebuildOptions {
  /** Connected as the pipeline role. */
  database: Database;
  clock: Clock;
  /** Ends the run after the batch under way; the next call goes on. */
  signal?: AbortSignal;
  /** Told after each batch how far it is. */
  onProgress?: (at: { afterMessage: string; lastMessage: string }) => void;
  /** Messages of a transaction. */
  batchSize?: number;
}

export interface Rebuilt {
  /** False if it was stopped before the end. */
  isFinished: boolean;
  read: number;
  changed: number;
  /** Messages that would give no facts today. */
  unread: number;
  withoutText: number;
  failed: { messageId: string; reason: string }[];
}

const BATCH_SIZE = 100;
/** The longest pause between two batches, in milliseconds. A pause is as long as the batch took, so that the product has half of the machine. */
const LONGEST_PAUSE = 1000;

/** Goes on with the run that is under way, or starts one, and returns what it came to. Throws if another process is at it. */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const release = await queries.lockRuns(options.database);
  if (release === null) throw new Error('Another rebuild is running. Wait for it to end, or stop it first');
  try {
    return await goOn(options);
  } finally {
    await release();
  }
}

async function goOn({ database, clock, signal, onProgress, batchSize = BATCH_SIZE }: RebuildOptions): Promise<Rebuilt> {
  const run = await queries.openRun(database, clock());
  if (run.isNew)
    await audit(database, 'messages.rebuild-start', { run: run.id, lastMessage: run.lastMessage }, clock());
  /** How many messages are still taken one by one, after a batch failed. */
  let alone = 0;
  let { afterMessage } = run;
  while (afterMessage !== run.lastMessage) {
    if (signal?.aborted) break;
    const startedAt = performance.now();
    try {
      const at = { id: run.id, lastMessage: run.lastMessage };
      afterMessage = await database.transaction(
        (tx) => rebuildBatch(tx, at, { now: clock(), most: alone > 0 ? 1 : batchSize }),
        { retries: 5 },
      );
      alone = Math.max(alone - 1, 0);
    } catch (error) {
      // Without a database there is nothing to go on with; the next run continues here.
      if (error instanceof DatabaseUnavailableError && !(error instanceof DatabaseBusyError)) throw error;
      if (isTransient(error)) await sleep(LONGEST_PAUSE);
      else if (alone > 0) afterMessage = await leaveNext(database, run, error);
      else alone = batchSize;
    }
    onProgress?.({ afterMessage, lastMessage: run.lastMessage });
    await sleep(Math.min(performance.now() - startedAt, LONGEST_PAUSE));
  }
  return report(database, run, afterMessage === run.lastMessage ? clock() : null);
}

async function audit(db: Database, action: string, detail: Record<string, unknown>, now: Date): Promise<void> {
  await db.transaction((tx) =>
    writeAuditAs(tx, { userId: null }, { action, subject: 'message', subjectId: null, detail, requestId: null, now }),
  );
}

/** Rebuilds the next messages and returns the id of the last one. */
async function rebuildBatch(
  tx: Transaction,
  { id, lastMessage }: Pick<queries.Run, 'id' | 'lastMessage'>,
  { now, most }: { now: Date; most: number },
): Promise<string> {
  const afterMessage = await queries.lockRun(tx, id);
  const { messages, lookedAt } = await queries.nextMessages(tx, { afterMessage, lastMessage }, most);
  const feeds = await feedsOf(tx, messages);
  const stored = await queries.storedFacts(
    tx,
    messages.map((message) => message.id),
  );
  const read = messages.map((message, index) => ({ message, read: readMessage(message, feeds[index] ?? null) }));
  const changed = read.flatMap(({ message, read: reading }) => {
    const facts = newFacts(message, reading, stored.get(message.id) ?? []);
    return facts === null ? [] : [{ message, reading, facts }];
  });
  if (changed.length > 0) {
    const of = changed.map(({ message }) => message);
    await applyFacts(
      tx,
      changed.flatMap(({ facts }) => facts),
      of.map((message) => message.id),
      now,
      { isRebuild: true },
    );
    await queries.writeReasons(
      tx,
      await outcomesOf(
        tx,
        of,
        changed.map(({ reading }) => reading),
      ),
    );
  }
  await queries.advance(tx, id, {
    afterMessage: lookedAt,
    read: messages.length,
    changed: changed.length,
    unread: read.filter(({ read: { kind } }) => kind !== 'facts').length,
  });
  return lookedAt;
}

/** Returns the facts of a message if they differ from the stored ones; null if they don't, or if it gives none today. */
function newFacts(message: PendingMessage, read: ReadMessage, stored: readonly NewFact[]): NewFact[] | null {
  if (read.kind !== 'facts' || read.documents !== undefined || stored.length === 0) return null;
  // What was loaded as history stays history.
  const isBackfill = stored.every((fact) => fact.isBackfill);
  const facts = factsOf(message, read).map((fact) => ({ ...fact, isBackfill }));
  return isDeepStrictEqual(comparable(facts), comparable(stored)) ? null : facts;
}

/** As jsonb has it: without what is undefined. */
const comparable = (facts: readonly NewFact[]): unknown =>
  facts.map(({ groupId, adt, manualCode, sharedFeedId }) =>
    JSON.parse(JSON.stringify({ groupId, adt, manualCode: manualCode ?? null, sharedFeedId })),
  );

/** Leaves the next message as it is, and notes why. Returns its id. */
async function leaveNext(database: Database, run: queries.Run, error: unknown): Promise<string> {
  return database.transaction(async (tx) => {
    const afterMessage = await queries.lockRun(tx, run.id);
    const { messages, lookedAt } = await queries.nextMessages(tx, { ...run, afterMessage }, 1);
    const { name, code } = error as Error & { code?: string };
    // The error's message may quote the patient's data.
    for (const { id } of messages) await queries.noteFailure(tx, run.id, id, [name, code].filter(Boolean).join(' '));
    await queries.advance(tx, run.id, { afterMessage: lookedAt, read: messages.length, changed: 0, unread: 0 });
    return lookedAt;
  });
}

async function report(database: Database, run: queries.Run, finishedAt: Date | null): Promise<Rebuilt> {
  const failed = await queries.failuresOf(database, run.id);
  const withoutText = await queries.countWithoutText(database, run);
  if (finishedAt === null) return { isFinished: false, read: 0, changed: 0, unread: 0, withoutText, failed };
  const counts = await queries.finishRun(database, run.id, finishedAt);
  const detail = { run: run.id, ...counts, withoutText, failed: failed.length };
  await audit(database, 'messages.rebuild-end', detail, finishedAt);
  return { isFinished: true, ...counts, withoutText, failed };
}
