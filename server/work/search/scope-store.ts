/** The rows of an access scope in columns: loaded once, then updated person by person as the database changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchContext } from '#contract/facets.ts';
import { asGroups } from '#server/people/access/door.ts';
import type { Change, Snapshot } from '#server/platform/changes/change-log.ts';
import type { AccessScope } from './access-scope.ts';
import type { Table } from './columns/table.ts';
import { fillTables, isDataException, type ScopeStoreDeps } from './fill-tables.ts';
import { newestPersonIds, personIds, visitorsOf } from './rows/queries.ts';
import { bytesOfTables, emptyTables, type Tables } from './scope-tables.ts';

const RETRY_AFTER = 500;
/** Milliseconds between two looks for whether a first part is loaded. */
const LOOK_EVERY = 50;

/** The rows of a list. */
interface Listed {
  table: Table;
  descriptions: ReadonlyMap<string, string>;
  /** False while the store is still being loaded: the table has a part of the rows, and those whom a list shows first are among them. */
  isWhole: boolean;
}

/** What the tables may show otherwise than the database. */
interface Stale {
  /** A load reads all, and what changes while it runs is read after it. */
  everything: boolean;
  persons: Set<string>;
  /** Facilities whose visits have to be read again, with everyone who had one. */
  facilities: Set<string>;
}

const nothing = (): Stale => ({ everything: false, persons: new Set(), facilities: new Set() });

export class ScopeStore {
  readonly #scope: AccessScope;
  readonly #deps: ScopeStoreDeps;
  #tables: Tables | null = null;
  /** Tables that are being loaded, and the batch of changes that was received last when that began. */
  #filling: { tables: Tables; since: number } | null = null;
  #withEvents = false;
  /** What has to be read again. */
  #stale: Stale = { ...nothing(), everything: true };
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
    return this.#stale.everything;
  }

  /** Returns the table of a list once it is loaded, or after so many milliseconds what is loaded of it by then. */
  async table(context: SearchContext, patience = Number.POSITIVE_INFINITY): Promise<Listed> {
    if (context === 'EVENTS' && !this.#withEvents) {
      this.#withEvents = true;
      this.#stale.everything = true;
    }
    const until = performance.now() + patience;
    for (;;) {
      const left = until - performance.now();
      const ready = this.#whole(context) ?? (left <= 0 ? this.#part(context) : null);
      if (ready) return ready;
      if (this.#isClosed) throw new Error('The store has been dropped');
      const next = this.#next();
      if (patience === Number.POSITIVE_INFINITY) await next;
      else await Promise.race([next, sleep(Math.max(left, LOOK_EVERY), null, { ref: false })]);
    }
  }

  #whole(context: SearchContext): Listed | null {
    return this.#appliedBatches < this.#disclosureBatch ? null : listedIn(this.#tables, context, true);
  }

  #part(context: SearchContext): Listed | null {
    const { tables, since = -1 } = this.#filling ?? {};
    if (!tables || tables.persons.size === 0 || since < this.#disclosureBatch) return null;
    return listedIn(tables, context, false);
  }

  receive(changes: readonly Change[], snapshot: Snapshot): void {
    this.#received = snapshot;
    this.#receivedBatches += 1;
    for (const { kind, change, groupId, subjectId } of changes) {
      if (kind === 'epoch') this.#stale.everything = true;
      if (kind === 'person' && subjectId !== null) this.#stale.persons.add(subjectId);
      if (kind === 'group' && groupId !== null) this.#noteGroup(change, groupId);
      if (change === 'disclosure') this.#disclosureBatch = this.#receivedBatches;
    }
    if (this.#tables) this.#work();
  }

  /** The rows of a group's own listings show its time zone and change all together; those of a facility's visits one by one. */
  #noteGroup(change: string, groupId: string): void {
    const isOwn = this.#scope.groupIds.includes(groupId);
    if (isOwn && (change === 'bulk' || change === 'facility')) this.#stale.everything = true;
    else if (change === 'facility' || change === 'disclosure') this.#stale.facilities.add(groupId);
  }

  /** Refreshes the persons whose rows have changed only because time passed. */
  tick(): void {
    if (!this.#tables || this.#isWorking) return;
    const now = this.#deps.now();
    for (const [personId, at] of this.#tables.due) if (at <= now) this.#stale.persons.add(personId);
    if (this.#stale.persons.size > 0) this.#work();
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

  /** Reads what is stale until nothing is. A read that fails is repeated, with what has become stale since. */
  async #workOff(): Promise<void> {
    while (!this.#isClosed) {
      const [snapshot, batches, stale] = [this.#received, this.#receivedBatches, this.#stale];
      this.#stale = nothing();
      try {
        if (stale.everything) await this.#load();
        else await this.#update(this.#tables as Tables, stale);
      } catch (error) {
        this.#noteFailure(error as Error & { code?: string }, stale);
        if (stale.everything && !this.#tables) return this.#endStep(error as Error);
        // Questions that wait for a changed disclosure get the error rather than an answer from before it.
        if (this.#appliedBatches < this.#disclosureBatch) this.#endStep(error as Error);
        await sleep(RETRY_AFTER);
        continue;
      }
      this.#applied = snapshot;
      this.#appliedBatches = batches;
      this.#endStep();
      const { everything, persons } = this.#stale;
      if (this.#receivedBatches === batches && persons.size === 0 && !everything) return;
    }
  }

  #noteFailure(error: Error & { code?: string }, { everything, persons, facilities }: Stale): void {
    for (const personId of persons) this.#stale.persons.add(personId);
    for (const groupId of facilities) this.#stale.facilities.add(groupId);
    // After an update with a value that cannot be read, what the tables hold of that person may no longer be shown.
    if (everything || isDataException(error)) this.#stale.everything = true;
    const { message, code } = error;
    this.#deps.log('warn', { message, code, isLoad: everything }, 'Search: rows could not be read; retrying');
  }

  /** Loads all rows into new tables, while the old ones keep answering. Those whom lists show first are loaded first. */
  async #load(): Promise<void> {
    const start = performance.now();
    const tables = emptyTables(this.#withEvents);
    this.#filling = { tables, since: this.#receivedBatches };
    try {
      const everyone = asGroups(this.#deps.db, this.#scope, personIds);
      // It is awaited later, which throws its error.
      everyone.catch(() => {});
      const newest = await asGroups(this.#deps.db, this.#scope, newestPersonIds);
      await this.#fill(tables, newest, false);
      const read = new Set(newest);
      const others = (await everyone).filter((id) => !read.has(id));
      tables.persons.reserve(newest.length + others.length);
      await this.#fill(tables, others, false);
    } finally {
      this.#filling = null;
    }
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

  async #update(tables: Tables, { persons, facilities }: Stale): Promise<void> {
    const visitors =
      facilities.size > 0 ? await asGroups(this.#deps.db, this.#scope, (tx) => visitorsOf(tx, [...facilities])) : [];
    await this.#fill(tables, [...new Set([...persons, ...visitors])], true);
  }

  #fill(tables: Tables, ids: readonly string[], isUpdate: boolean): Promise<void> {
    return fillTables(this.#deps, { scope: this.#scope, tables, isUpdate, isOver: () => this.#isClosed }, ids);
  }
}

function listedIn(tables: Tables | null, context: SearchContext, isWhole: boolean): Listed | null {
  const table = tables && { ALL: tables.persons, PINGS: tables.pings, EVENTS: tables.events }[context];
  return table ? { table, descriptions: tables.descriptions, isWhole } : null;
}
