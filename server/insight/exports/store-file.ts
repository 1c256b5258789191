/** Writes an export's file into the database, in chunks of about a mebibyte. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { type Columns, cellsOf, type ExportRow, headerOf } from './cells.ts';
import { csvFile } from './files/csv-file.ts';
import { xlsxFile } from './files/xlsx-file.ts';
import { noteProgress, type StoredJob } from './queries.ts';

const CHUNK = 1 << 20;
/** Bytes of a file as it is downloaded. */
const LARGEST_FILE = 4 * 2 ** 30;
/** Milliseconds between two notes of how far the export is, where no chunk has been stored. */
const NOTE_EVERY = 1000;

const compress = promisify(gzip);

/** Thrown when another attempt at the same export has begun. */
export class SupersededError extends Error {
  override name = 'SupersededError';
}

export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}

export class FileStore {
  readonly #db: Database;
  readonly #job: StoredJob;
  readonly #clock: Clock;
  readonly #parts: Buffer[] = [];
  #waiting = 0;
  #bytes = 0;
  #chunks = 0;
  #notedAt: number;
  rows = 0;
  hasPart2 = false;

  constructor(db: Database, job: StoredJob, clock: Clock) {
    this.#db = db;
    this.#job = job;
    this.#clock = clock;
    this.#notedAt = performance.now();
  }

  get exportType(): StoredJob['exportType'] {
    return this.#job.exportType;
  }

  async add(part: Buffer): Promise<void> {
    this.#parts.push(part);
    this.#waiting += part.length;
    this.#bytes += part.length;
    if (this.#bytes > LARGEST_FILE) throw new FileTooLargeError('The export is too large');
    if (this.#waiting >= CHUNK) await this.#store();
    else if (performance.now() - this.#notedAt > NOTE_EVERY) await this.#note(null);
  }

  async end(): Promise<void> {
    await this.#store();
  }

  async #store(): Promise<void> {
    const whole = Buffer.concat(this.#parts.splice(0));
    this.#waiting = 0;
    // Members of a gzip file can be stored one by one: together they are a gzip file too (RFC 1952, 2.2).
    const content = this.exportType === 'CSV' ? await compress(whole, { level: 1 }) : whole;
    await this.#note({ n: this.#chunks, content });
    this.#chunks += 1;
  }

  async #note(chunk: { n: number; content: Buffer } | null): Promise<void> {
    const progress = { rows: this.rows, bytes: this.#bytes, hasPart2: this.hasPart2 };
    const isCurrent = await noteProgress(this.#db, this.#job, progress, chunk, this.#clock());
    if (!isCurrent) throw new SupersededError('Another attempt at this export has begun');
    this.#notedAt = performance.now();
  }
}

/** Writes rows as the file that the job asks for. */
export async function writeFile(rows: AsyncIterable<ExportRow[]>, columns: Columns, store: FileStore): Promise<void> {
  async function* batches(): AsyncGenerator<string[][]> {
    for await (const batch of rows) {
      store.rows += batch.length;
      store.hasPart2 ||= batch.some(({ hasPart2 }) => hasPart2);
      yield batch.map((row) => cellsOf(row, columns));
    }
  }
  const write = store.exportType === 'CSV' ? csvFile : xlsxFile;
  for await (const part of write(headerOf(columns), batches())) await store.add(part);
  await store.end();
}
