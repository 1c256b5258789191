/** The stores of one thread: which are there, who waits for what, and which have to go. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { type AccessScope, scopeKey } from './access-scope.ts';
import type { Condition, ValueCount } from './columns/table.ts';
import { DIAGNOSIS_COLUMNS } from './schema.ts';
import { ScopeStore, type ScopeStoreDeps } from './scope-store.ts';
import type { AnswerTo, Request } from './thread-protocol.ts';

/** A store that nobody has asked for so long is dropped; milliseconds. */
const IDLE = 15 * 60_000;
const TICK = 1000;
/** How long a search waits at most for the caller's own transaction, and for all that a page was just told of; milliseconds. */
const PATIENCE = 2000;
const PATIENCE_FOR_TOLD = 10_000;

interface CacheEntry {
  store: ScopeStore;
  usedAt: number;
  stop: () => void;
}

export class StoreCache {
  readonly #kept = new Map<string, CacheEntry>();
  readonly #follower: ChangeFollower;
  readonly #deps: ScopeStoreDeps;
  readonly #memory: number;
  readonly #timer: NodeJS.Timeout;

  /** `memory`: what all stores may take together, in bytes. */
  constructor(follower: ChangeFollower, memory: number, deps: ScopeStoreDeps) {
    this.#follower = follower;
    this.#memory = memory;
    this.#deps = deps;
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  async answer({ scope, context, ask, after }: Request): Promise<AnswerTo[keyof AnswerTo]> {
    const store = this.#storeOf(scope);
    const { table, descriptions } = await store.table(context);
    if (after !== null && (await this.#waitFor(store, after))) return this.#answer(await store.table(context), ask);
    return this.#answer({ table, descriptions }, ask);
  }

  #answer(
    { table, descriptions }: Awaited<ReturnType<ScopeStore['table']>>,
    ask: Request['ask'],
  ): AnswerTo[keyof AnswerTo] {
    const meaning = (values: readonly ValueCount[]) =>
      values.flatMap(({ value }) => {
        const description = descriptions.get(value);
        return description === undefined ? [] : [[value, description] as const];
      });
    if (ask.kind === 'count') return { total: table.count(ask.condition) };
    if (ask.kind === 'median') return table.median(ask.number, ask.condition);
    if (ask.kind === 'values') {
      const { facet, text, condition, limit, byDescription } = ask;
      const values = byDescription
        ? valuesByMeaning(table, ask, descriptions)
        : table.values(facet, text, condition, limit);
      return { values, descriptions: Object.fromEntries(meaning(values)) };
    }
    const answer = table.search(ask.query);
    const coded = Object.entries(answer.facets).filter(([facet]) => DIAGNOSIS_COLUMNS.has(facet));
    return { answer, descriptions: Object.fromEntries(coded.flatMap(([, { values }]) => meaning(values))) };
  }

  /** Whether it had to wait. */
  async #waitFor(store: ScopeStore, after: string): Promise<boolean> {
    if (after !== 'now' && store.includes(after)) return false;
    const until = Date.now() + (after === 'now' ? PATIENCE_FOR_TOLD : PATIENCE);
    const caughtUp = async () => {
      await this.#follower.catchUp();
      await store.settled();
    };
    do {
      await Promise.race([caughtUp().catch(() => {}), sleep(Math.max(0, until - Date.now()), null, { ref: false })]);
      if (after === 'now' || store.includes(after)) return true;
      await sleep(20);
    } while (Date.now() < until);
    return true;
  }

  #storeOf(scope: AccessScope): ScopeStore {
    const key = scopeKey(scope);
    const known = this.#kept.get(key);
    if (known) {
      known.usedAt = this.#deps.now();
      return known.store;
    }
    const store = new ScopeStore(scope, this.#follower.snapshot, this.#deps);
    const stop = this.#follower.subscribe((changes, snapshot) => store.hear(changes, snapshot));
    this.#kept.set(key, { store, usedAt: this.#deps.now(), stop });
    return store;
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    kept?.stop();
    kept?.store.close();
    this.#kept.delete(key);
  }

  #tick(): void {
    const longAgo = this.#deps.now() - IDLE;
    for (const [key, { store, usedAt }] of this.#kept) {
      if (usedAt < longAgo) this.#drop(key);
      else store.tick();
    }
    const longestUnused = [...this.#kept].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let bytes = longestUnused.reduce((sum, [, { store }]) => sum + store.bytes, 0);
    // The one that was asked for last stays, however large it is.
    for (const [key, { store }] of longestUnused.slice(0, -1)) {
      if (bytes <= this.#memory) return;
      if (store.isLoading) continue;
      bytes -= store.bytes;
      this.#drop(key);
    }
  }
}

/** Codes whose beginning, or the beginnings of whose description's words, are typed. */
function valuesByMeaning(
  table: Awaited<ReturnType<ScopeStore['table']>>['table'],
  { facet, text, condition, limit }: { facet: string; text: string; condition: Condition; limit: number },
  descriptions: ReadonlyMap<string, string>,
): ValueCount[] {
  const wanted = sortKey(text).split(' ');
  const plain = (value: string) => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const code = plain(text);
  const { facets } = table.search({ ...condition, sort: [], offset: 0, limit: 0, facets: [facet], facetSize: 100_000 });
  const isMeant = ({ value }: ValueCount) => {
    if (plain(value).startsWith(code)) return true;
    const words = sortKey(`${descriptions.get(value) ?? ''} ${value}`).split(' ');
    return wanted.every((each) => words.some((word) => word.startsWith(each)));
  };
  const exact = (facets[facet]?.values ?? []).filter((each) => each.count > 0 && isMeant(each)).slice(0, limit);
  return exact.length > 0 ? exact : table.values(facet, text, condition, limit);
}
