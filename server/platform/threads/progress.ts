/** What a thread shows of its progress, in memory that the thread that watches it can read at any time. */
export class Progress {
  readonly buffer: SharedArrayBuffer;
  readonly #beats: Int32Array;
  readonly #workingOn: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer;
    this.#beats = new Int32Array(buffer, 0, 1);
    this.#workingOn = new BigInt64Array(buffer, 8, 1);
  }

  /** Changes as long as the thread's event loop runs. */
  get beats(): number {
    return Atomics.load(this.#beats, 0);
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1);
  }

  /** The id of the work that the thread is doing by itself, or null. */
  get workingOn(): string | null {
    const id = Atomics.load(this.#workingOn, 0);
    return id === 0n ? null : String(id);
  }

  set workingOn(id: string | null) {
    Atomics.store(this.#workingOn, 0, BigInt(id ?? 0));
  }
}
