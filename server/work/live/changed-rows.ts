/**
 * Changes of persons, collected for a moment and then looked up once for all channels: which of their groups list someone who changed. A
 * look-up for each channel would grow with changes times channels.
 */
import type { Logger } from 'pino';
import { asGroups } from '#server/people/access/door.ts';
import { mayLearnOfChange, mayReadListing } from '#server/people/access/policy.ts';
import type { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import type { Change } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Milliseconds during which changes are collected. */
export const ROWS_DELAY = 500;

/** Someone whose lists show the persons whom these groups list. */
export interface RowsWatcher {
  readonly groupIds: readonly string[];
  /** Called when a person whom one of the groups lists or has listed has changed. */
  notice: () => void;
}

export interface ChangedRowsDeps {
  db: Database;
  follower: ChangeFollower;
  log: Pick<Logger, 'warn'>;
}

export class ChangedRows {
  readonly #deps: ChangedRowsDeps;
  readonly #watchers = new Set<RowsWatcher>();
  /** By person and group, so that each is looked up once. */
  readonly #changed = new Map<string, Change>();
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: ChangedRowsDeps) {
    this.#deps = deps;
    deps.follower.subscribe((changes) => this.#collect(changes));
  }

  /** Returns a function that ends it. */
  watch(watcher: RowsWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0 || !this.#timer) return;
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#changed.clear();
    };
  }

  #collect(changes: readonly Change[]): void {
    if (this.#watchers.size === 0) return;
    for (const change of changes)
      if (change.kind === 'person') this.#changed.set(`${change.subjectId} ${change.groupId}`, change);
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => void this.#lookUp(), ROWS_DELAY);
  }

  async #lookUp(): Promise<void> {
    const changes = [...this.#changed.values()];
    this.#changed.clear();
    this.#timer = null;
    const groupIds = [...new Set([...this.#watchers].flatMap((watcher) => watcher.groupIds))];
    try {
      const listing = await groupsListing(this.#deps.db, groupIds, changes);
      for (const watcher of this.#watchers) if (watcher.groupIds.some((id) => listing.has(id))) watcher.notice();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'Live: changed rows could not be looked up; trying again');
      this.#collect(changes);
    }
  }
}

/**
 * Returns which of the groups list or have listed one of these persons. A change at a 42 CFR Part 2 facility counts only for groups to which it
 * may be disclosed. It names no person, and each watcher learns of its own groups only, so that one transaction serves all.
 */
async function groupsListing(
  db: Database,
  groupIds: readonly string[],
  changes: readonly Change[],
): Promise<ReadonlySet<string>> {
  const [personIds, logged] = [changes.map(({ subjectId }) => subjectId), changes.map(({ groupId }) => groupId)];
  const { rows } = await asGroups(db, { groupIds, teamId: '' }, (tx) =>
    tx.query<{ id: string }>(sql`
      select distinct r.group_id as id
      from unnest(${personIds}::bigint[], ${logged}::bigint[]) as changed (person_id, group_id)
        join roster_patients r on r.person_id = changed.person_id
      where ${mayReadListing(tx.groupIds)} and ${mayLearnOfChange(sql`changed.group_id`)}`),
  );
  return new Set(rows.map(({ id }) => id));
}
