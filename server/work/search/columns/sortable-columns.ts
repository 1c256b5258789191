import { Dictionary } from './dictionary.ts';
import { bytesOf, resized, roomFor } from './typed-arrays.ts';

/** Represents null. */
export const NO_NUMBER = -0x8000_0000;

/** Columns of 32-bit integers. */
export class NumberColumns {
  readonly columns: Map<string, Int32Array>;
  readonly #names: readonly string[];

  constructor(names: readonly string[], capacity: number) {
    this.#names = names;
    this.columns = new Map(names.map((name) => [name, new Int32Array(capacity)]));
  }

  get bytes(): number {
    return bytesOf([...this.columns.values()]);
  }

  reserve(capacity: number): void {
    for (const [name, column] of this.columns) this.columns.set(name, resized(column, capacity));
  }

  /** Throws RangeError for a value that is not a 32-bit integer; changes nothing. */
  check(values: Record<string, number | null>): void {
    for (const name of this.#names) {
      const value = values[name] ?? null;
      if (value !== null && ((value | 0) !== value || value === NO_NUMBER))
        throw new RangeError(`'${name}' of a row is not a 32-bit integer`);
    }
  }

  put(row: number, values: Record<string, number | null>): void {
    for (const [name, column] of this.columns) column[row] = values[name] ?? NO_NUMBER;
  }
}

/** A text column used only for sorting: `codes[row]` refers to the dictionary, whose labels ascend with the text; 0 is no text. */
export type SortTextColumn = { readonly dictionary: Dictionary; codes: Int32Array; uses: Int32Array };

/** The text columns of a table that are only sorted by. */
export class SortTextColumns {
  readonly columns: Map<string, SortTextColumn>;

  constructor(names: readonly string[], capacity: number) {
    this.columns = new Map(
      names.map((name) => {
        const dictionary = new Dictionary({ labelled: true });
        return [name, { dictionary, codes: new Int32Array(capacity), uses: new Int32Array(16) }];
      }),
    );
  }

  get bytes(): number {
    return [...this.columns.values()].reduce(
      (sum, { dictionary, codes, uses }) => sum + dictionary.bytes + bytesOf([codes, uses]),
      0,
    );
  }

  reserve(capacity: number): void {
    for (const column of this.columns.values()) column.codes = resized(column.codes, capacity);
  }

  /** Writes a row's texts; null clears them. */
  put(row: number, values: Record<string, string> | null): void {
    for (const [name, column] of this.columns) {
      const old = column.codes[row] as number;
      const text = values?.[name] ?? '';
      const code = text === '' ? 0 : column.dictionary.intern(0, text);
      if (code === old) continue;
      column.uses = roomFor(column.uses, code + 1);
      column.uses[code] = (column.uses[code] as number) + 1;
      column.uses[old] = (column.uses[old] as number) - 1;
      if (old !== 0 && column.uses[old] === 0) column.dictionary.release(old);
      column.codes[row] = code;
    }
  }
}
