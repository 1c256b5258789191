import { KeyIndex } from './key-index.ts';
import { MultiColumns } from './multi-columns.ts';
import { type SingleColumn, SingleColumns } from './single-columns.ts';
import { NumberColumns, SortTextColumns } from './sortable-columns.ts';
import { bytesOf, resized } from './typed-arrays.ts';
import type { Row, TableSchema } from './types.ts';

/** Limit for all multi-valued facets of a row together: `failByHits` counts them in 15 bits. */
const MOST_VALUES = 32_767;
/** Limit for all words of a row together: each kind of match has 10 bits. */
const MOST_WORDS = 1023;

/** The columns of a table and the scratch arrays of its queries. Row numbers are reused after a removal. */
export class ColumnStore {
  readonly schema: TableSchema;
  readonly parent: ColumnStore | undefined;
  /** The index of the parent's totals that count this table's rows. */
  readonly weighting: number = 0;
  readonly keys: KeyIndex;
  readonly singles: SingleColumns;
  readonly multis: MultiColumns;
  readonly words: MultiColumns;
  readonly numbers: NumberColumns;
  readonly sortTexts: SortTextColumns;
  /** By row: the parent's row. */
  parentRows = new Int32Array(0);
  /** Row numbers below this one have been used. */
  bound = 0;
  /** Row numbers below `bound` that are free. */
  readonly free: number[] = [];
  /** By row, during a query: 0 if it matches, a filter's number if it fails only that filter, else 255. */
  rowStates: Uint8Array;
  /** By row, during a query: how well the words match, summed. */
  scores: Uint8Array;
  /** During a query: the rows, sorted by state. */
  grouped: Int32Array;
  /** By row, during a step of a query. */
  scratch: Int32Array;
  /** By row, zero between queries: how many rows of a child table refer to it. */
  weights: Int32Array;
  #capacity: number;
  /** By weighting, then by row: how many children the row has. */
  readonly #children: Int32Array[] = [];
  readonly #single: Map<string, SingleColumn>;

  /** Throws TypeError if a column name is used twice. */
  constructor(schema: TableSchema, parent: ColumnStore | undefined, capacity: number) {
    this.schema = schema;
    this.parent = parent;
    this.#capacity = capacity;
    this.keys = new KeyIndex(capacity);
    this.singles = new SingleColumns(schema.singles, capacity);
    this.#single = new Map(this.singles.all.map((single) => [single.name, single]));
    this.multis = new MultiColumns(schema.multis, capacity, { labelled: true });
    this.words = new MultiColumns(schema.words, capacity, { labelled: false });
    this.numbers = new NumberColumns(schema.numbers, capacity);
    this.sortTexts = new SortTextColumns(schema.sortTexts, capacity);
    this.rowStates = new Uint8Array(capacity);
    this.scores = new Uint8Array(capacity);
    this.grouped = new Int32Array(capacity);
    this.scratch = new Int32Array(capacity);
    this.weights = new Int32Array(0);
    checkNames(schema, parent?.schema);
    if (!parent) return;
    if (parent.parent) throw new TypeError('A parent table cannot have a parent');
    this.parentRows = new Int32Array(capacity);
    this.weighting = parent.#addChildTable();
  }

  get size(): number {
    return this.keys.size;
  }

  get bytes(): number {
    const parts = [this.keys, this.singles, this.multis, this.words, this.numbers, this.sortTexts];
    const arrays = [this.parentRows, this.rowStates, this.scores, this.grouped, this.scratch, this.weights];
    return parts.reduce((sum, part) => sum + part.bytes, 0) + bytesOf([...arrays, ...this.#children]);
  }

  single(name: string): SingleColumn | undefined {
    return this.#single.get(name);
  }

  /** Returns the index of a multi-valued facet in a row's run, or -1. */
  multi(name: string): number {
    return this.schema.multis.indexOf(name);
  }

  has(name: string): boolean {
    return (
      this.#single.has(name) ||
      this.schema.multis.includes(name) ||
      this.numbers.columns.has(name) ||
      this.sortTexts.columns.has(name)
    );
  }

  /**
   * Inserts or replaces a row. Returns false if it has more values than a row can hold, and so is found by the first ones only. Throws RangeError,
   * changing nothing, if a value cannot be stored or the parent is missing.
   */
  put(row: Row): boolean {
    if (!Number.isSafeInteger(row.key)) throw new RangeError('A key is not a safe integer');
    this.numbers.check(row.numbers);
    const multis = this.multis.fitting(row.multis, MOST_VALUES);
    const words = this.words.fitting(row.words, MOST_WORDS);
    const parentRow = this.#parentRow(row);
    const known = this.keys.find(row.key);
    const place = known >= 0 ? known : this.#newPlace(row.key);
    if (known >= 0) this.#tally(place, -1);
    this.singles.put(place, row.singles, this.bound);
    this.multis.put(place, multis, this.bound);
    this.words.put(place, words, this.bound);
    this.numbers.put(place, row.numbers);
    this.sortTexts.put(place, row.sortTexts);
    if (known >= 0) this.#tally(place, 1);
    if (this.parent) this.#follow(place, parentRow, known >= 0);
    return multis === row.multis && words === row.words;
  }

  /** Returns false if no row has the key. Throws RangeError if child rows refer to it. */
  remove(key: number): boolean {
    const row = this.keys.find(key);
    if (row < 0) return false;
    if (this.#children.some((counts) => counts[row] !== 0)) throw new RangeError('The row has child rows');
    this.parent?.countChild(this.weighting, this.parentRows[row] as number, -1);
    this.singles.put(row, {}, this.bound);
    this.multis.put(row, null, this.bound);
    this.words.put(row, null, this.bound);
    this.sortTexts.put(row, null);
    this.keys.delete(key);
    this.free.push(row);
    return true;
  }

  /** Returns the keys of the rows that refer to one of these rows of the parent table. Reads one number per row. */
  childrenOf(parents: readonly number[]): number[] {
    const rows = new Set(parents.map((key) => this.parent?.keys.find(key) ?? -1).filter((row) => row >= 0));
    const found: number[] = [];
    if (rows.size === 0) return found;
    for (let row = 0; row < this.bound; row++) {
      if (!rows.has(this.parentRows[row] as number)) continue;
      const key = this.keys.keys[row] as number;
      // A free row still has its last key and parent.
      if (this.keys.find(key) === row) found.push(key);
    }
    return found;
  }

  /** Records that one more (or one fewer) row of a child table refers to this row. */
  countChild(weighting: number, row: number, change: number): void {
    const counts = this.#children[weighting - 1] as Int32Array;
    counts[row] = (counts[row] as number) + change;
    this.singles.tally(row, weighting, change);
    this.multis.tally(row, weighting, change);
  }

  /** Subtracts a row from the totals of all child tables, or adds it again. It counts once for each of its children. */
  #tally(row: number, sign: number): void {
    for (const [index, counts] of this.#children.entries()) {
      const weight = (counts[row] as number) * sign;
      if (weight === 0) continue;
      this.singles.tally(row, index + 1, weight);
      this.multis.tally(row, index + 1, weight);
    }
  }

  #addChildTable(): number {
    this.singles.addWeighting();
    this.multis.addWeighting();
    this.weights = resized(this.weights, this.#capacity);
    return this.#children.push(new Int32Array(this.#capacity));
  }

  #parentRow({ parent }: Row): number {
    if (!this.parent) return 0;
    const row = parent === undefined ? -1 : this.parent.keys.find(parent);
    if (row < 0) throw new RangeError('The parent of a row does not exist');
    return row;
  }

  #follow(row: number, parentRow: number, replaced: boolean): void {
    const before = this.parentRows[row] as number;
    if (replaced && before === parentRow) return;
    if (replaced) this.parent?.countChild(this.weighting, before, -1);
    this.parentRows[row] = parentRow;
    this.parent?.countChild(this.weighting, parentRow, 1);
  }

  #newPlace(key: number): number {
    const row = this.free.pop() ?? this.bound;
    if (row === this.bound) {
      if (row === this.#capacity) this.reserve(row + (row >> 2) + 64);
      this.bound += 1;
    }
    this.keys.add(key, row);
    return row;
  }

  /** Makes room for so many rows. */
  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return;
    this.#capacity = capacity;
    for (const part of [this.keys, this.singles, this.multis, this.words, this.numbers, this.sortTexts])
      part.reserve(capacity);
    this.rowStates = new Uint8Array(capacity);
    this.scores = new Uint8Array(capacity);
    this.grouped = new Int32Array(capacity);
    this.scratch = new Int32Array(capacity);
    if (this.parent) this.parentRows = resized(this.parentRows, capacity);
    if (this.#children.length === 0) return;
    this.weights = new Int32Array(capacity);
    for (const [index, counts] of this.#children.entries()) this.#children[index] = resized(counts, capacity);
  }
}

function checkNames(...schemas: (TableSchema | undefined)[]): void {
  const names = schemas.flatMap((schema) =>
    schema ? [...schema.singles, ...schema.multis, ...schema.numbers, ...schema.sortTexts] : [],
  );
  const twice = names.find((name, index) => name === 'relevance' || names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two columns are named '${twice}'`);
}
