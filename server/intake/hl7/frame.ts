/** Frames of MLLP, the minimal lower layer protocol: `0x0B content 0x1C 0x0D` (HL7 v2 implementation guide, appendix C). */
const START = 0x0b;
const END = 0x1c;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
/** Far more than the noise of a line or a lost frame end, and little work to skip. */
const DEFAULT_MAX_NOISE = 64 * 1024;

/** A frame exceeds the limit. The stream can't be decoded any further, so the connection must be closed. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`A frame is longer than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The sender writes much that is no frame, or frames without content. It does not speak MLLP, so the connection should be closed. */
export class NoFramesError extends Error {
  override readonly name = 'NoFramesError';

  constructor(maxNoise: number) {
    super(`More than ${maxNoise} bytes arrived without a frame that has content`);
  }
}

/** Returns the content as a frame. */
export function encodeFrame(content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(START), content, Buffer.of(END, CARRIAGE_RETURN)]);
}

/**
 * Decodes the bytes of one connection, however they are split, and returns the content of each frame once its end has arrived.
 *
 * - A frame ends at 0x1C, which the standard doesn't allow in the content. The final 0x0D is optional, so that a sender that omits it gets
 *   its acknowledgement too.
 * - The standard doesn't allow 0x0B in the content either, but notes pasted from word processors contain it as a soft line break. So 0x0B
 *   starts a new frame only if a header segment follows. The unfinished frame before it is dropped; it wasn't acknowledged, so its sender
 *   will resend it.
 * - Bytes between frames, other than line ends, are dropped and counted. So are blank frames, which hold nothing to store.
 */
export class FrameDecoder {
  /** Bytes outside of frames, or in a frame that was never finished. */
  garbageBytes = 0;
  readonly #maxBytes: number;
  readonly #maxNoise: number;
  #content = Buffer.alloc(0);
  #length = 0;
  #inside = false;
  /** Bytes without content since the last frame that had some. */
  #noise = 0;

  constructor(maxBytes = DEFAULT_MAX_BYTES, maxNoise = DEFAULT_MAX_NOISE) {
    this.#maxBytes = maxBytes;
    this.#maxNoise = maxNoise;
  }

  /** Whether a frame has begun and not ended. */
  get isInside(): boolean {
    return this.#inside;
  }

  /** Bytes of the unfinished frame so far. */
  get unfinishedBytes(): number {
    return this.#length;
  }

  /** Bytes of memory that the unfinished frame occupies. */
  get heldBytes(): number {
    return this.#content.length;
  }

  /**
   * Returns the frames that end in this chunk. Throws FrameTooLargeError, or NoFramesError once too many bytes in a row had no content;
   * earlier frames of the same chunk then stay unacknowledged.
   */
  push(chunk: Uint8Array): Buffer[] {
    const frames: Buffer[] = [];
    let at = 0;
    while (at < chunk.length) {
      const mark = chunk.indexOf(this.#inside ? END : START, at);
      const end = mark < 0 ? chunk.length : mark;
      if (this.#inside) this.#append(chunk.subarray(at, end));
      else this.#countGarbage(chunk.subarray(at, end));
      if (mark >= 0) {
        if (this.#inside) this.#finish(frames);
        this.#inside = !this.#inside;
      }
      at = end + 1;
    }
    return frames;
  }

  #finish(frames: Buffer[]): void {
    const content = this.#take();
    if (content.some((byte) => byte > BLANK)) {
      this.#noise = 0;
      frames.push(content);
    } else this.#countNoise(content.length + FRAMING);
  }

  #countNoise(bytes: number): void {
    this.garbageBytes += bytes;
    this.#noise += bytes;
    if (this.#noise > this.#maxNoise) throw new NoFramesError(this.#maxNoise);
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) throw new FrameTooLargeError(this.#maxBytes);
    if (length > this.#content.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(1024, length * 2)));
      this.#content.copy(grown, 0, 0, this.#length);
      this.#content = grown;
    }
    this.#content.set(bytes, this.#length);
    this.#length = length;
  }

  #take(): Buffer {
    const content = this.#content.subarray(0, this.#length);
    this.#content = Buffer.alloc(0);
    this.#length = 0;
    const restart = lastRestart(content);
    this.garbageBytes += restart;
    return content.subarray(restart);
  }

  #countGarbage(bytes: Uint8Array): void {
    let noise = 0;
    for (const byte of bytes) if (byte !== CARRIAGE_RETURN && byte !== LINE_FEED) noise += 1;
    this.#countNoise(noise);
  }
}

/** The bytes around the content: 0x0B 0x1C. */
const FRAMING = 2;
/** Line ends, tabs, start bytes and other controls sort below the blank. */
const BLANK = 0x20;

const RESTARTS = ['MSH', 'FHS', 'BHS'].map((name) => Buffer.from(`\v${name}`));

/** Returns where the last frame starts, if the content has a start byte before a header segment; else 0. One search per name keeps the time linear. */
function lastRestart(content: Buffer): number {
  if (!content.includes(START)) return 0;
  return Math.max(...RESTARTS.map((restart) => content.lastIndexOf(restart))) + 1;
}
