import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Passes bytes on, and counts and hashes them. In COPY's text format each row ends with a line feed, and has no other. */
export class Digest extends Transform {
  readonly #hash = createHash('sha256');
  bytes = 0;
  rows = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.rows += 1;
    done(null, chunk);
  }

  /** What went through, once all of it has. */
  result(): { rows: number; bytes: number; sha256: string } {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}
