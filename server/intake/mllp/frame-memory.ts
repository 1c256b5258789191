import type { MllpLimits } from './limits.ts';

/** A connection with an unfinished frame. */
export interface Holder {
  readonly address: string;
  /** Ends the connection. Its unfinished frame was not acknowledged, so a well-meaning sender sends it again. */
  close(reason: string): void;
}

/**
 * The memory that unfinished frames occupy, over all connections. When one address, all unknown addresses or all together hold too
 * much, the address that holds most loses the connection with its largest frame (of equal ones, the oldest), so that a small frame of
 * another sender is never the one to go.
 */
export class FrameMemory {
  readonly #limits: MllpLimits;
  readonly #isKnown: (address: string) => boolean;
  readonly #held = new Map<Holder, number>();
  #total = 0;

  constructor(limits: MllpLimits, isKnown: (address: string) => boolean) {
    this.#limits = limits;
    this.#isKnown = isKnown;
  }

  /** Notes how much a connection holds now, in bytes, and closes connections if that is too much. */
  hold(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#held.get(holder) ?? 0);
    if (bytes > 0) this.#held.set(holder, bytes);
    else this.#held.delete(holder);
    const { memory, memoryOfUnknown, memoryPerAddress } = this.#limits;
    if (this.#total > Math.min(memory, memoryOfUnknown, memoryPerAddress)) this.#relieve();
  }

  #relieve(): void {
    for (let victim = this.#victim(); victim !== null; victim = this.#victim()) {
      this.#total -= this.#held.get(victim) ?? 0;
      this.#held.delete(victim);
      victim.close('too many bytes in unfinished frames');
    }
  }

  #victim(): Holder | null {
    const { memory, memoryOfUnknown, memoryPerAddress } = this.#limits;
    const addresses = new Map<string, number>();
    for (const [{ address }, bytes] of this.#held) addresses.set(address, (addresses.get(address) ?? 0) + bytes);
    const all = [...addresses];
    const unknown = all.filter(([address]) => !this.#isKnown(address));
    if (all.some(([, bytes]) => bytes > memoryPerAddress) || sum(all) > memory) return this.#largestOf(heaviest(all));
    return sum(unknown) > memoryOfUnknown ? this.#largestOf(heaviest(unknown)) : null;
  }

  #largestOf(address: string | undefined): Holder | null {
    return heaviest([...this.#held].filter(([holder]) => holder.address === address)) ?? null;
  }
}

const sum = (of: readonly [unknown, number][]): number => of.reduce((total, [, bytes]) => total + bytes, 0);

/** Returns the one with most bytes; among equals the first. */
const heaviest = <T>(of: readonly [T, number][]): T | undefined =>
  of.reduce<[T, number] | undefined>((most, each) => (most && most[1] >= each[1] ? most : each), undefined)?.[0];
