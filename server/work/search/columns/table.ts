import { ColumnStore } from './column-store.ts';
import { completions } from './completions.ts';
import { countFacets } from './counting.ts';
import { rangeOf } from './extents.ts';
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
 * Rows in columns, for panels that want everything at once: total, one page, and the counts of every facet without its
 * own filter, exact at any time. Lives in one thread, holds no truth, knows no domain.
 *
 * With a parent table each row points to one of the parent's, and all facets, ranges, sorts and words of the parent can be
 * used as if they were the row's own; a parent row counts once for each of its rows here.
 */
export class Table {
  readonly #store: ColumnStore;

  /** `capacity`: for how many rows to make room at first. Throws TypeError where a name is used twice. */
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

  has(key: number): boolean {
    return this.#store.keys.find(key) >= 0;
  }

  /**
   * Inserts the row, or replaces the one with its key. Throws RangeError, changing nothing, for a key that is no safe
   * integer, a number beyond 32 bits, a value above 65,534 bytes, more than 32,767 values of multi-valued facets or 1,023
   * words, or a parent that is not there.
   */
  put(row: Row): void {
    this.#store.put(row);
  }

  /** False where there is no such row. Throws RangeError where rows of a child table point to it. */
  remove(key: number): boolean {
    return this.#store.remove(key);
  }

  /** Throws RangeError for columns that the schema does not have. */
  search(query: Query): Answer {
    const matching = match(this.#store, query);
    groupRows(matching);
    const counted = countFacets(matching, query.facets);
    return {
      total: total(matching),
      facets: topValues(counted, query.facetSize, query.filters),
      ranges: Object.fromEntries((query.ranges ?? []).map((name) => [name, rangeOf(matching, name)])),
      keys: pageOf(matching, query.sort, query.offset, query.limit),
    };
  }

  /** How many rows match. */
  count(condition: Condition): number {
    return total(match(this.#store, condition));
  }

  /** The middle one of a number among the matching rows. Throws RangeError where the table itself has no such number. */
  median(number: string, condition: Condition): Median {
    const matching = match(this.#store, condition);
    groupRows(matching);
    return medianOf(matching, number);
  }

  /**
   * Values of a facet for what somebody types: those that some row has under the other filters, of which each word of
   * `text` begins a word (case and accents aside), or is one typo away from its beginning from 4 letters on. The best fit
   * first, then by count, then by the value's bytes.
   */
  values(facet: string, text: string, condition: Condition, limit: number): ValueCount[] {
    const matching = match(this.#store, condition);
    groupRows(matching);
    const counted = countFacets(matching, [facet]).get(facet);
    return counted ? completions(counted, text, limit) : [];
  }
}
