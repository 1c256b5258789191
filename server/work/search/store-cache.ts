/** The stores of one thread: loads them on demand, waits until they are current, and drops unused ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { type AccessScope, scopeKey } from './access-scope.ts';
import type { Condition, ValueCount } from './columns/table.ts';
import type { ScopeStoreDeps } from './fill-tables.ts';
import { DIAGNOSIS_COLUMNS } from './schema.ts';
import { ScopeStore } from './scope-store.ts';
import type { AnswerTo, SearchRequest } from './thread-protocol.ts';

/** A store that is unused for this long is dropped. Milliseconds. */
const IDLE = 15 * 60_000;
const TICK = 1000;
/** The longest wait for the caller's own transaction, and for everything that live updates have announced. Milliseconds. */
const WAIT_FOR_OWN = 2000;
const WAIT_FOR_ALL = 10_000;
/** Milliseconds after which a page that takes a part of a list gets what is loaded by then. Most stores are loaded sooner. */
const PATIENCE = 500;

interface CacheEntry {
  store: ScopeStore;
  usedAt: number;
  stop: () => void;
}

export class StoreCache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #follower: ChangeFollower;
  readonly #deps: ScopeStoreDeps;
  readonly #memory: number;
  readonly #timer: NodeJS.Timeout;

  /** `memory`: the limit of all stores together, in bytes. */
  constructor(follower: ChangeFollower, memory: number, deps: ScopeStoreDeps) {
    this.#follower = follower;
    this.#memory = memory;
    this.#deps = deps;
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  async answer({ scope, context, question, after, takesPart }: SearchRequest): Promise<AnswerTo[keyof AnswerTo]> {
    const store = this.#storeOf(scope);
    const listed = await store.table(context, takesPart ? PATIENCE : undefined);
    // A part is asked for again anyway.
    if (listed.isWhole && after !== null && (await this.#waitFor(store, after)))
      return this.#answer(await store.table(context), question);
    return this.#answer(listed, question);
  }

  #answer(
    { table, descriptions, isWhole }: Awaited<ReturnType<ScopeStore['table']>>,
    question: SearchRequest['question'],
  ): AnswerTo[keyof AnswerTo] {
    const described = (values: readonly ValueCount[]) =>
      values.flatMap(({ value }) => {
        const description = descriptions.get(value);
        return description === undefined ? [] : [[value, description] as const];
      });
    if (question.kind === 'count') return { total: table.count(question.condition) };
    if (question.kind === 'median') return table.median(question.number, question.condition);
    if (question.kind === 'values') {
      const { facet, text, condition, limit, byDescription } = question;
      const values = byDescription
        ? valuesByDescription(table, question, descriptions)
        : table.values(facet, text, condition, limit);
      return { values, descriptions: Object.fromEntries(described(values)) };
    }
    const answer = table.search(question.query);
    const coded = Object.entries(answer.facets).filter(([facet]) => DIAGNOSIS_COLUMNS.has(facet));
    return { answer, descriptions: Object.fromEntries(coded.flatMap(([, { values }]) => described(values))), isWhole };
  }

  /** Waits until the store includes the transaction or the time is up. Returns whether it had to wait. */
  async #waitFor(store: ScopeStore, after: string): Promise<boolean> {
    if (after !== 'now' && store.includes(after)) return false;
    const until = Date.now() + (after === 'now' ? WAIT_FOR_ALL : WAIT_FOR_OWN);
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
    const known = this.#entries.get(key);
    if (known) {
      known.usedAt = this.#deps.now();
      return known.store;
    }
    const store = new ScopeStore(scope, this.#follower.snapshot, this.#deps);
    const stop = this.#follower.subscribe((changes, snapshot) => store.receive(changes, snapshot));
    this.#entries.set(key, { store, usedAt: this.#deps.now(), stop });
    return store;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    entry?.stop();
    entry?.store.close();
    this.#entries.delete(key);
  }

  #tick(): void {
    const longAgo = this.#deps.now() - IDLE;
    for (const [key, { store, usedAt }] of this.#entries) {
      if (usedAt < longAgo) this.#drop(key);
      else store.tick();
    }
    const longestUnused = [...this.#entries].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let bytes = longestUnused.reduce((sum, [, { store }]) => sum + store.bytes, 0);
    // The most recently used store stays, however large it is.
    for (const [key, { store }] of longestUnused.slice(0, -1)) {
      if (bytes <= this.#memory) return;
      if (store.isLoading) continue;
      bytes -= store.bytes;
      this.#drop(key);
    }
  }
}

/** Returns the codes that start with the typed text, or whose descriptions have words that start with the typed words. */
function valuesByDescription(
  table: Awaited<ReturnType<ScopeStore['table']>>['table'],
  { facet, text, condition, limit }: { facet: string; text: string; condition: Condition; limit: number },
  descriptions: ReadonlyMap<string, string>,
): ValueCount[] {
  const wanted = sortKey(text).split(' ');
  const plain = (value: string) => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const code = plain(text);
  const { facets } = table.search({ ...condition, sort: [], offset: 0, limit: 0, facets: [facet], facetSize: 100_000 });
  const matches = ({ value }: ValueCount) => {
    if (plain(value).startsWith(code)) return true;
    const words = sortKey(`${descriptions.get(value) ?? ''} ${value}`).split(' ');
    return wanted.every((each) => words.some((word) => word.startsWith(each)));
  };
  const exact = (facets[facet]?.values ?? []).filter((each) => each.count > 0 && matches(each)).slice(0, limit);
  return exact.length > 0 ? exact : table.values(facet, text, condition, limit);
}
