/** The rows of an access scope in columns: loaded once, then updated person by person as the database changes. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { SearchContext } from '#contract/facets.ts';
import { asGroups } from '#server/people/access/door.ts';
import type { Change, Snapshot } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { AccessScope } from './access-scope.ts';
import type { Table } from './columns/table.ts';
import { factsByPerson } from './rows/group-facts.ts';
import { personIds, readFacts, visitorsOf } from './rows/queries.ts';
import type { FactDocument } from './rows/row-sources.ts';
import type { RowOptions } from './rows/rows.ts';
import { bytesOfTables, emptyTables, putPersons, type Tables } from './scope-tables.ts';

export interface ScopeStoreDeps {
  db: Database;
  /** The process's clock, in milliseconds. */
  now: () => number;
  log: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
}

/** Persons per chunk. Between two chunks the thread answers other questions. */
const CHUNK = 500;
/** Chunks that PostgreSQL reads at the same time. */
const AHEAD = 3;
const RETRY_AFTER = 500;
/** The class of SQLSTATE codes for values that do not fit. */
const DATA_EXCEPTION = '22';

/** Persons that were read together, and how to make their rows. */
interface Chunk {
  ids: readonly string[];
  document: FactDocument;
  options: RowOptions & { isUpdate: boolean };
}

export class ScopeStore {
  readonly #scope: AccessScope;
  readonly #deps: ScopeStoreDeps;
  #tables: Tables | null = null;
  #needsLoad = true;
  #withEvents = false;
  readonly #dirty = new Set<string>();
  /** Facilities whose visits have to be read again. */
  readonly #changedFacilities = new Set<string>();
  /** The snapshot of the changes received, and of those applied. */
  #received: Snapshot;
  #applied: Snapshot | null = null;
  /** How many batches of changes were received and applied. A caller waits only for the batches that were there when it asked. */
  #receivedBatches = 0;
  #appliedBatches = -1;
  /** No question is answered before this batch is applied: it changed what may be disclosed (42 CFR Part 2). */
  #disclosureBatch = -1;
  #isWorking = false;
  #step = Promise.withResolvers<void>();
  #isClosed = false;

  /** `snapshot`: the state of the change log at its last read. Every later change has to be passed to `receive`. */
  constructor(scope: AccessScope, snapshot: Snapshot, deps: ScopeStoreDeps) {
    this.#scope = scope;
    this.#received = snapshot;
    this.#deps = deps;
  }

  /** The approximate memory use, in bytes. */
  get bytes(): number {
    return this.#tables ? bytesOfTables(this.#tables) : 0;
  }

  get size(): number {
    return this.#tables?.persons.size ?? 0;
  }

  get isLoading(): boolean {
    return this.#needsLoad;
  }

  /** Returns the table of a list once it is loaded. */
  async table(context: SearchContext): Promise<{ table: Table; descriptions: ReadonlyMap<string, string> }> {
    if (context === 'EVENTS' && !this.#withEvents) {
      this.#withEvents = true;
      this.#needsLoad = true;
    }
    const found = () => {
      const tables = this.#appliedBatches < this.#disclosureBatch ? null : this.#tables;
      const table = tables && { ALL: tables.persons, PINGS: tables.pings, EVENTS: tables.events }[context];
      return table ? { table, descriptions: tables.descriptions } : null;
    };
    for (;;) {
      const ready = found();
      if (ready) return ready;
      if (this.#isClosed) throw new Error('The store has been dropped');
      await this.#next();
    }
  }

  receive(changes: readonly Change[], snapshot: Snapshot): void {
    this.#received = snapshot;
    this.#receivedBatches += 1;
    for (const { kind, change, groupId, subjectId } of changes) {
      if (kind === 'epoch') this.#needsLoad = true;
      if (kind === 'person' && subjectId !== null) this.#dirty.add(subjectId);
      if (kind === 'group' && groupId !== null) this.#noteGroup(change, groupId);
      if (change === 'disclosure') this.#disclosureBatch = this.#receivedBatches;
    }
    if (this.#tables) this.#work();
  }

  /** The rows of a group's own listings show its time zone and change all together; those of a facility's visits one by one. */
  #noteGroup(change: string, groupId: string): void {
    const isOwn = this.#scope.groupIds.includes(groupId);
    if (isOwn && (change === 'bulk' || change === 'facility')) this.#needsLoad = true;
    else if (change === 'facility' || change === 'disclosure') this.#changedFacilities.add(groupId);
  }

  /** Refreshes the persons whose rows have changed only because time passed. */
  tick(): void {
    if (!this.#tables || this.#isWorking) return;
    const now = this.#deps.now();
    for (const [personId, at] of this.#tables.due) if (at <= now) this.#dirty.add(personId);
    if (this.#dirty.size > 0) this.#work();
  }

  /** Returns whether the changes of a transaction are applied. */
  includes(xid: string): boolean {
    return this.#applied?.includes(xid) ?? false;
  }

  /** Waits until everything received so far is applied. A database failure may end the wait early. */
  async settled(): Promise<void> {
    const batches = this.#receivedBatches;
    while (this.#appliedBatches < batches && !this.#isClosed) await this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#tables = null;
    this.#step.resolve();
  }

  /** Waits for the current or next step to end. Throws if the first load failed, because there is nothing to answer from. */
  #next(): Promise<void> {
    this.#work();
    return this.#step.promise;
  }

  #work(): void {
    if (this.#isWorking || this.#isClosed) return;
    this.#isWorking = true;
    void this.#workOff().finally(() => {
      this.#isWorking = false;
    });
  }

  #endStep(failure?: Error): void {
    const { resolve, reject, promise } = this.#step;
    this.#step = Promise.withResolvers();
    // The step may have no waiter.
    promise.catch(() => {});
    if (failure) reject(failure);
    else resolve();
  }

  async #workOff(): Promise<void> {
    while (!this.#isClosed) {
      const [snapshot, batches] = [this.#received, this.#receivedBatches];
      const persons = new Set(this.#dirty);
      this.#dirty.clear();
      const facilities = [...this.#changedFacilities];
      this.#changedFacilities.clear();
      const isLoad = this.#needsLoad;
      try {
        if (isLoad) await this.#load();
        else await this.#update(this.#tables as Tables, persons, facilities);
      } catch (error) {
        for (const personId of persons) this.#dirty.add(personId);
        for (const groupId of facilities) this.#changedFacilities.add(groupId);
        if (isLoad) this.#needsLoad = true;
        const { message, code } = error as Error & { code?: string };
        this.#deps.log('warn', { message, code, isLoad }, 'Search: rows could not be read; retrying');
        if (isLoad && !this.#tables) return this.#endStep(error as Error);
        // Questions that wait for a changed disclosure get the error rather than an answer from before it.
        if (this.#appliedBatches < this.#disclosureBatch) this.#endStep(error as Error);
        await sleep(RETRY_AFTER);
        continue;
      }
      this.#applied = snapshot;
      this.#appliedBatches = batches;
      this.#endStep();
      if (this.#receivedBatches === batches && this.#dirty.size === 0 && !this.#needsLoad) return;
    }
  }

  /** Loads all rows into new tables, while the old ones keep answering. */
  async #load(): Promise<void> {
    this.#needsLoad = false;
    const start = performance.now();
    const ids = await asGroups(this.#deps.db, this.#scope, personIds);
    const tables = emptyTables(this.#withEvents, ids.length);
    await this.#read(tables, ids, false);
    if (this.#isClosed) return;
    this.#tables = tables;
    const fields = {
      groups: this.#scope.groupIds.length,
      persons: tables.persons.size,
      pings: tables.pings.size,
      events: tables.events?.size ?? null,
      ms: Math.round(performance.now() - start),
      megabytes: Math.round(this.bytes / 1e5) / 10,
    };
    this.#deps.log('info', fields, 'Search: loaded a store');
  }

  async #update(tables: Tables, persons: ReadonlySet<string>, facilities: readonly string[]): Promise<void> {
    const visitors =
      facilities.length > 0 ? await asGroups(this.#deps.db, this.#scope, (tx) => visitorsOf(tx, facilities)) : [];
    await this.#read(tables, [...new Set([...persons, ...visitors])], true);
  }

  /** Reads the next chunks ahead while one is written into the tables. */
  async #read(tables: Tables, ids: readonly string[], isUpdate: boolean): Promise<void> {
    const underWay: Promise<Chunk[]>[] = [];
    for (let from = 0; (from < ids.length || underWay.length > 0) && !this.#isClosed; ) {
      for (; underWay.length < AHEAD && from < ids.length; from += CHUNK) {
        const chunk = this.#fetch(tables, ids.slice(from, from + CHUNK), isUpdate);
        // The chunk is awaited later, which throws its error.
        chunk.catch(() => {});
        underWay.push(chunk);
      }
      for (const chunk of (await underWay.shift()) ?? []) this.#put(tables, chunk);
      await turn();
    }
    await Promise.all(underWay);
  }

  /**
   * Reads persons. A load leaves out one whose values PostgreSQL cannot convert, so that the rows of all others are still right. An update then
   * becomes a load, because what the tables hold of that person may no longer be shown.
   */
  async #fetch(tables: Tables, ids: readonly string[], isUpdate: boolean): Promise<Chunk[]> {
    try {
      return [await this.#fetchTogether(tables, ids, isUpdate)];
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      if (!code?.startsWith(DATA_EXCEPTION)) throw error;
      if (isUpdate) {
        this.#needsLoad = true;
        throw error;
      }
      if (ids.length === 1) {
        this.#deps.log('error', { personId: ids[0], message, code }, 'Search: a person could not be read');
        return [];
      }
      const half = ids.length >> 1;
      const first = await this.#fetch(tables, ids.slice(0, half), false);
      return [...first, ...(await this.#fetch(tables, ids.slice(half), false))];
    }
  }

  async #fetchTogether(tables: Tables, ids: readonly string[], isUpdate: boolean): Promise<Chunk> {
    const options = {
      scope: this.#scope,
      withEvents: tables.events !== null,
      isUpdate,
      now: this.#deps.now(),
      noteDiagnosis: (code: string, description: string) => void tables.descriptions.set(code, description),
    };
    const document = await asGroups(
      this.#deps.db,
      this.#scope,
      (tx) => readFacts(tx, ids, { all: options.withEvents }),
      ids,
    );
    return { ids, document, options };
  }

  #put(tables: Tables, { ids, document, options }: Chunk): void {
    putPersons(tables, factsByPerson(ids, document), options, (personId, message) =>
      this.#deps.log('warn', { personId, message }, 'Search: a row could not be stored as a whole'),
    );
  }
}
