import type { MllpLimits } from './limits.ts';

/** Counts the connections of each address and decides which more are accepted, so that no sender can take the places of the others. */
export class Seats {
  readonly #limits: MllpLimits;
  readonly #isKnown: (address: string) => boolean;
  readonly #taken = new Map<string, number>();

  /** `isKnown`: whether the address has sent messages of a feed for a while. */
  constructor(limits: MllpLimits, isKnown: (address: string) => boolean) {
    this.#limits = limits;
    this.#isKnown = isKnown;
  }

  /** Takes a seat for a connection. Returns why it can't have one, or null. Every seat that was taken has to be released. */
  take(address: string): string | null {
    const refusal = this.#refusal(address);
    if (refusal === null) this.#taken.set(address, this.#of(address) + 1);
    return refusal;
  }

  release(address: string): void {
    const left = this.#of(address) - 1;
    if (left > 0) this.#taken.set(address, left);
    else this.#taken.delete(address);
  }

  #of(address: string): number {
    return this.#taken.get(address) ?? 0;
  }

  #refusal(address: string): string | null {
    const { connections, connectionsOfUnknown, connectionsPerKnownAddress, connectionsPerUnknownAddress } =
      this.#limits;
    const isKnown = this.#isKnown(address);
    if (this.#of(address) >= (isKnown ? connectionsPerKnownAddress : connectionsPerUnknownAddress))
      return 'too many connections from this address';
    const taken = [...this.#taken];
    const sum = (of: typeof taken) => of.reduce((total, [, count]) => total + count, 0);
    if (sum(taken) >= connections) return 'too many connections';
    if (!isKnown && sum(taken.filter(([each]) => !this.#isKnown(each))) >= connectionsOfUnknown)
      return 'too many connections from addresses without a feed';
    return null;
  }
}
