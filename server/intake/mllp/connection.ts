/** One connection: bytes → frames → stored messages → acknowledgements in the order of the frames. */
import type { Socket } from 'node:net';
import { encodeFrame, FrameDecoder } from '#server/intake/hl7/frame.ts';
import type { FrameMemory, Holder } from './frame-memory.ts';
import type { MllpLimits } from './limits.ts';
import { type ReceiveDeps, receiveFrame, type Sender } from './receive-frame.ts';

export interface ConnectionDeps extends ReceiveDeps {
  limits: MllpLimits;
  memory: FrameMemory;
  /** Logs a warning about an address, unless there were many within the minute. */
  warn: (address: string, fields: object, message: string) => void;
}

/** Frames of one connection that may wait for their acknowledgement before reading pauses. */
const MOST_UNANSWERED = 200;
/** Bytes of acknowledgements that the sender may leave unread before reading pauses. */
const MOST_UNREAD = 64 * 1024;
/** Frames that are taken in during one turn of the event loop. */
const AT_ONCE = 50;
/** Frames in a row that name no type of message, after which a connection is closed: what sends them is no interface engine. */
const MOST_WITHOUT_TYPE = 100;
/** Milliseconds between checks whether a paused connection can resume. */
const RESUME_CHECK = 20;

export class Connection implements Holder {
  readonly address: string;
  readonly #sender: Sender;
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #decoder: FrameDecoder;
  #queued: Buffer[] = [];
  #isSubmitting = false;
  /** Frames that were decoded and not yet acknowledged. */
  #unanswered = 0;
  /** Frames without a type of message since the last one with it. */
  #withoutType = 0;
  #answered: Promise<void> = Promise.resolve();
  /** When the unfinished frame began, in milliseconds of `performance.now()`; later by the time that reading was paused. */
  #frameSince = 0;

  constructor(socket: Socket, sender: Sender, deps: ConnectionDeps) {
    this.#socket = socket;
    this.#sender = sender;
    this.address = sender.address;
    this.#deps = deps;
    this.#decoder = new FrameDecoder(deps.limits.frameBytes);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.setTimeout(deps.limits.idle, () => this.close('idle for too long'));
    socket.on('error', ({ message: reason }) => this.#warn({ reason }, 'MLLP: connection lost'));
    socket.on('close', () => this.#closed());
    socket.on('data', (chunk) => this.#read(chunk));
  }

  close(reason: string, error?: unknown): void {
    if (this.#socket.destroyed) return;
    const cause = error instanceof Error ? error.message : undefined;
    this.#warn({ reason, error: cause }, 'MLLP: closed a connection');
    this.#socket.destroy();
  }

  /** Closes the connection if its unfinished frame takes too long. */
  checkFrameTime(now: number): void {
    if (!this.#decoder.isInside || this.#socket.isPaused()) return;
    const { frameTime, bytesPerSecond } = this.#deps.limits;
    const allowed = frameTime + (this.#decoder.unfinishedBytes / bytesPerSecond) * 1000;
    if (now - this.#frameSince > allowed) this.close('a frame was not finished in time');
  }

  #warn(fields: object, message: string): void {
    this.#deps.warn(this.address, { remote: this.#sender.remote, ...fields }, message);
  }

  #closed(): void {
    this.#deps.memory.hold(this, 0);
    this.#queued = [];
    const { garbageBytes: bytes } = this.#decoder;
    if (bytes > 0) this.#warn({ bytes }, 'MLLP: dropped bytes outside of frames');
  }

  #read(chunk: Buffer): void {
    const wasInside = this.#decoder.isInside;
    try {
      const frames = this.#decoder.push(chunk);
      if (!wasInside || frames.length > 0) this.#frameSince = performance.now();
      this.#unanswered += frames.length;
      this.#queued.push(...frames);
    } catch (error) {
      this.close('the bytes are not frames, or too long for one', error);
      return;
    }
    this.#deps.memory.hold(this, this.#decoder.heldBytes);
    if (!this.#isSubmitting) void this.#submitQueued();
    if (!this.#mayRead()) this.#pause();
  }

  #mayRead(): boolean {
    return (
      this.#unanswered <= MOST_UNANSWERED &&
      this.#socket.writableLength <= MOST_UNREAD &&
      !this.#deps.store.isFull(this.address)
    );
  }

  #pause(): void {
    this.#socket.pause();
    const since = performance.now();
    const check = setInterval(() => {
      if (!this.#mayRead() && !this.#socket.destroyed) return;
      clearInterval(check);
      this.#frameSince += performance.now() - since;
      this.#socket.resume();
    }, RESUME_CHECK);
  }

  /** Hands the frames to the store in order. Other connections get their turn in between. */
  async #submitQueued(): Promise<void> {
    this.#isSubmitting = true;
    for (let count = 1; this.#queued.length > 0; count += 1) {
      const [frame] = this.#queued.splice(0, 1);
      if (frame) await this.#submit(frame);
      if (count % AT_ONCE === 0) await new Promise(setImmediate);
    }
    this.#isSubmitting = false;
  }

  async #submit(frame: Buffer): Promise<void> {
    const { answer, isMessage } = await receiveFrame(frame, this.#sender, this.#deps);
    this.#answerInOrder(answer);
    this.#withoutType = isMessage ? 0 : this.#withoutType + 1;
    if (this.#withoutType > MOST_WITHOUT_TYPE) {
      this.close('too many frames without a type of message');
      this.#queued = [];
    }
  }

  #answerInOrder(answer: Promise<Buffer[]>): void {
    this.#answered = Promise.all([this.#answered, answer]).then(
      ([, acknowledgements]) => {
        this.#unanswered -= 1;
        for (const ack of acknowledgements) if (this.#socket.writable) this.#socket.write(encodeFrame(ack));
      },
      (error: unknown) => {
        this.#unanswered -= 1;
        this.close('a message could not be stored', error);
      },
    );
  }
}
