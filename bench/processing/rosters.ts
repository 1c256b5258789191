/** The rosters of a region as files, and their upload as a program's administrators do it. */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ROSTER_GROUPS } from '#demo/world/rosters.ts';
import { streamRoster, type WorldOptions } from '#demo/world/world.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { processUpload } from '#server/work/rosters/process.ts';
import { type ReceiveDeps, receiveUpload } from '#server/work/rosters/upload.ts';

export interface RosterFile {
  group: (typeof ROSTER_GROUPS)[number];
  rows: number;
  bytes: Buffer;
}

/** Returns the files of all groups. */
export function rosterFiles(options: WorldOptions): RosterFile[] {
  return ROSTER_GROUPS.map((group) => {
    const lines = [...streamRoster(options, group)];
    return { group, rows: lines.length - 1, bytes: Buffer.from(lines.join('')) };
  });
}

/** Returns the file with another phone number in one of so many rows. */
export function withChanges(file: RosterFile, oneIn: number): RosterFile {
  const lines = file.bytes.toString().split('\r\n');
  const changed = lines.map((line, row) => (row % oneIn === 1 ? withOtherPhone(line, row) : line));
  return { ...file, bytes: Buffer.from(changed.join('\r\n')) };
}

const withOtherPhone = (line: string, row: number): string =>
  line.replace(/\(\d{3}\) \d{3}-\d{4}/, `(312) 2${String(row).padStart(6, '0').replace(/^\d\d/, '$&-')}`);

/** Seconds, and megabytes that the process had at most, more than before. */
export interface Uploaded {
  rows: number;
  received: number;
  applied: number;
  memory: number;
}

export interface Uploader {
  db: { app: Database; pipeline: Database };
  clock: () => Date;
  groupId: (group: RosterFile['group']) => string;
  actor: (group: RosterFile['group']) => Promise<Actor>;
}

const CHUNK = 64 * 1024;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** Uploads the files one by one. */
export async function uploadAll(files: readonly RosterFile[], uploader: Uploader): Promise<Uploaded> {
  const all: Uploaded = { rows: 0, received: 0, applied: 0, memory: 0 };
  const endSampling = sampleMemory();
  for (const { group, rows, bytes } of files) {
    const { received, applied } = await upload(group, chunksOf(bytes), uploader);
    all.rows += rows;
    all.received += received;
    all.applied += applied;
  }
  return { ...all, memory: endSampling() };
}

/** Uploads a file of a group, and returns the seconds that it took. */
export async function upload(
  group: RosterFile['group'],
  chunks: Iterable<Buffer>,
  { db, clock, groupId, actor }: Uploader,
): Promise<Pick<Uploaded, 'received' | 'applied'>> {
  const uploader = await actor(group);
  const asUploader: ReceiveDeps['asUploader'] = (fn) => asActor(db.app, uploader, 'canUploadRoster', fn);
  const file = { name: 'roster.csv', bytes: Readable.from(chunks), relationship: 'COVERAGE' as const };
  const start = performance.now();
  const { jobId } = await receiveUpload({ asUploader, clock }, groupId(group), file);
  const received = performance.now();
  await processUpload(db.pipeline, jobId, { clock });
  return { received: (received - start) / 1000, applied: (performance.now() - received) / 1000 };
}

/** Returns a function that returns how many megabytes the process had at most since, more than now. */
function sampleMemory(): () => number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  return () => {
    clearInterval(sampling);
    return (most - before) / 2 ** 20;
  };
}
