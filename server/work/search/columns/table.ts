import { ColumnStore } from './column-store.ts';
import { completions } from './completions.ts';
import { countFacets } from './counting.ts';
import { extentOf } from './extents.ts';
import { topValues } from './facet-counts.ts';
import { groupRows, match, total } from './matching.ts';
import { type Median, medianOf } from './median.ts';
import { pageOf } from './page.ts';
import type { Answer, Condition, Query, Row, TableSchema, ValueCount } from './types.ts';

export type {
  Answer,
  Condition,
  FacetCount,
  FacetFilter,
  Filter,
  Query,
  RangeFilter,
  Row,
  Sort,
  TableSchema,
  ValueCount,
} from './types.ts';

/**
 * An in-memory column store for filter panels, which need everything at once: the total, one page, and exact counts of every facet without
 * its own filter. It lives in one thread, is a copy of the database, and knows nothing of the domain.
 *
 * With a parent table, each row refers to a row of the parent, and all facets, ranges, sorts and words of the parent can be used as if they
 * were the row's own. A parent row then counts once for each of its child rows.
 */
export class Table {
  readonly #store: ColumnStore;

  /** `capacity`: how many rows to allocate at first. Throws TypeError if a column name is used twice. */
  constructor(schema: TableSchema, { parent, capacity = 1024 }: { parent?: Table; capacity?: number } = {}) {
    this.#store = new ColumnStore(schema, parent && parent.#store, Math.max(capacity, 1));
  }

  get size(): number {
    return this.#store.size;
  }

  /** Memory of all columns, in bytes. */
  get bytes(): number {
    return this.#store.bytes;
  }

  /** Makes room for so many rows at once: growing step by step copies the columns each time. */
  reserve(rows: number): void {
    this.#store.reserve(rows);
  }

  has(key: number): boolean {
    return this.#store.keys.find(key) >= 0;
  }

  /**
   * Inserts the row, or replaces the row with the same key. Returns false if it has more than 32,767 values of multi-valued facets or 1,023
   * words: the first ones of each column count, the others are not found. Throws RangeError, changing nothing, for a key that is not a safe
   * integer, a number beyond 32 bits, a value above 65,534 bytes, or a missing parent.
   */
  put(row: Row): boolean {
    return this.#store.put(row);
  }

  /** Returns false if there is no such row. Throws RangeError if rows of a child table refer to it. */
  remove(key: number): boolean {
    return this.#store.remove(key);
  }

  /** Returns the keys of the rows that refer to one of these rows of the parent table, in no particular order. */
  childrenOf(parents: readonly number[]): number[] {
    return this.#store.childrenOf(parents);
  }

  /** Answers a query. Throws RangeError for columns that the schema does not have. */
  search(query: Query): Answer {
    const matching = match(this.#store, query);
    groupRows(matching);
    const counted = countFacets(matching, query.facets);
    return {
      total: total(matching),
      facets: topValues(counted, query.facetSize, query.filters),
      ranges: Object.fromEntries((query.ranges ?? []).map((name) => [name, extentOf(matching, name)])),
      keys: pageOf(matching, query.sort, query.offset, query.limit),
    };
  }

  /** Returns how many rows match. */
  count(condition: Condition): number {
    return total(match(this.#store, condition));
  }

  /** Returns the median of a number among the matching rows. Throws RangeError if the table itself has no such number. */
  median(number: string, condition: Condition): Median {
    const matching = match(this.#store, condition);
    groupRows(matching);
    return medianOf(matching, number);
  }

  /**
   * Returns the values of a facet that match typed text, among the rows that match the condition. Each word of `text` has to be a prefix of
   * a word of the value, ignoring case and accents; from 4 letters on, one typo is forgiven. Best matches first, then by count, then by the
   * value's bytes.
   */
  values(facet: string, text: string, condition: Condition, limit: number): ValueCount[] {
    const matching = match(this.#store, condition);
    groupRows(matching);
    const counted = countFacets(matching, [facet]).get(facet);
    return counted ? completions(counted, text, limit) : [];
  }
}
