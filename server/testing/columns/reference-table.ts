/** The reference implementation that tests compare the columns with: plain loops over plain rows. */
import type {
  Answer,
  Condition,
  Filter,
  Query,
  Row,
  Sort,
  TableSchema,
  ValueCount,
} from '#server/work/search/columns/types.ts';

type Fields = Omit<Row, 'key' | 'parent'>;

/** UTF-8 bytes sort like code points, and code points sort like JavaScript's code units unless there are surrogates. */
function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\ud800-\udfff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

const fits = new Map<string, number>();

/** At most one letter inserted, missing or replaced, or two neighboring letters swapped. */
function isOneTypoAway(a: readonly string[], b: readonly string[]): boolean {
  const distances = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number) => distances[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i += 1)
    for (let j = 0; j <= b.length; j += 1) {
      const line = distances[i] as number[];
      if (i === 0 || j === 0) line[j] = i + j;
      else line[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        line[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.length, b.length) <= 1;
}

/** Returns 3 for the same word, 2 for a prefix, 1 for a prefix with a typo if those are forgiven, 0 for no match. */
function referenceFit(query: string, word: string, forgiving: boolean): number {
  const asked = `${forgiving} ${query} ${word}`;
  const known = fits.get(asked) ?? fitOf(query, word, forgiving);
  fits.set(asked, known);
  return known;
}

function fitOf(query: string, word: string, forgiving: boolean): number {
  if (query === word) return 3;
  if (word.startsWith(query)) return 2;
  const [letters, of] = [[...query], [...word]];
  if (!forgiving || letters.length < 4) return 0;
  return of.concat('').some((_, length) => isOneTypoAway(letters, of.slice(0, length))) ? 1 : 0;
}

export class ReferenceTable {
  readonly rows = new Map<number, Row>();
  readonly schema: TableSchema;
  readonly parent: ReferenceTable | undefined;

  constructor(schema: TableSchema, parent?: ReferenceTable) {
    this.schema = schema;
    this.parent = parent;
  }

  search(query: Query): Answer {
    const matching = this.#select(query);
    const facets = query.facets.map((name) => {
      const counted = this.#counts(name, query);
      const values = counted.slice(0, query.facetSize);
      const own = query.filters.find((each) => 'facet' in each && each.facet === name);
      for (const value of own && 'facet' in own ? new Set([...own.any, ...own.none]) : [])
        if (!values.some((each) => each.value === value))
          values.push(counted.find((each) => each.value === value) ?? { value, count: 0 });
      values.sort((a, b) => b.count - a.count || byBytes(a.value, b.value));
      return [name, { values, distinct: counted.length }] as const;
    });
    const ranges = (query.ranges ?? []).map((name) => [name, this.#extent(name, query)] as const);
    const keys = matching
      .toSorted((a, b) => this.#compare(a, b, query))
      .slice(query.offset, query.offset + query.limit)
      .map(({ key }) => key);
    return {
      total: matching.length,
      keys,
      facets: Object.fromEntries(facets),
      ranges: Object.fromEntries(ranges),
    };
  }

  median(number: string, condition: Condition): { rows: number; median: number | null } {
    const numbers = this.#select(condition)
      .flatMap((row) => this.#numberOf(row, number) ?? [])
      .sort((a, b) => a - b);
    return { rows: numbers.length, median: numbers[Math.ceil(numbers.length / 2) - 1] ?? null };
  }

  values(facet: string, text: string, condition: Condition, limit: number): ValueCount[] {
    const wordsOf = (each: string) =>
      each
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '');
    const points = (value: string): number => {
      const best = wordsOf(text).map((query) =>
        Math.max(0, ...wordsOf(value).map((word) => referenceFit(query, word, true))),
      );
      return best.includes(0) ? 0 : best.reduce((sum, each) => sum + each, 1);
    };
    return this.#counts(facet, condition)
      .filter(({ value }) => points(value) > 0)
      .sort((a, b) => points(b.value) - points(a.value) || b.count - a.count || byBytes(a.value, b.value))
      .slice(0, limit);
  }

  #fields(row: Row): Fields[] {
    const above = row.parent === undefined ? undefined : this.parent?.rows.get(row.parent);
    return above ? [row, above] : [row];
  }

  #select(condition: Condition, leftOut?: string): Row[] {
    const filters = condition.filters.filter((each) => ('facet' in each ? each.facet : each.range) !== leftOut);
    return [...this.rows.values()].filter(
      (row) =>
        !condition.without?.includes(row.key) &&
        [...filters, ...condition.where].every((filter) => this.#passes(row, filter)) &&
        (condition.words ?? []).every((word) => word === '' || this.#fit(row, word) > 0),
    );
  }

  #passes(row: Row, filter: Filter): boolean {
    if ('facet' in filter) {
      const values = this.#valuesOf(row, filter.facet);
      if (filter.any.length > 0 && !filter.any.some((each) => values.includes(each))) return false;
      return !filter.none.some((each) => values.includes(each));
    }
    const number = this.#numberOf(row, filter.range);
    if (number === null) return false;
    const isInside = (filter.begin === null || number >= filter.begin) && (filter.end === null || number <= filter.end);
    return isInside !== filter.negated;
  }

  #valuesOf(row: Row, facet: string): readonly string[] {
    return this.#fields(row).flatMap(({ singles, multis }) => {
      const single = singles[facet] ?? null;
      return [...new Set(multis[facet] ?? (single === null ? [] : [single]))];
    });
  }

  #numberOf(row: Row, name: string): number | null {
    return this.#fields(row).reduce<number | null>((found, { numbers }) => found ?? numbers[name] ?? null, null);
  }

  #fit(row: Row, query: string): number {
    const fits = this.#fields(row).flatMap(({ words }) =>
      Object.entries(words).flatMap(([kind, each]) => each.map((word) => referenceFit(query, word, kind === 'name'))),
    );
    return Math.max(0, ...fits);
  }

  #counts(facet: string, condition: Condition): ValueCount[] {
    const counts = new Map<string, number>();
    for (const row of this.#select(condition, facet))
      for (const value of this.#valuesOf(row, facet)) counts.set(value, (counts.get(value) ?? 0) + 1);
    return Array.from(counts, ([value, count]) => ({ value, count })).sort(
      (a, b) => b.count - a.count || byBytes(a.value, b.value),
    );
  }

  #extent(name: string, condition: Condition): { min: number; max: number } | null {
    const numbers = this.#select(condition, name).flatMap((row) => this.#numberOf(row, name) ?? []);
    if (numbers.length === 0) return null;
    return { min: Math.min(...numbers), max: Math.max(...numbers) };
  }

  #compare(a: Row, b: Row, query: Query): number {
    for (const sort of query.sort) {
      const { descending } = sort;
      const [first, second] = [this.#sortable(a, sort, query), this.#sortable(b, sort, query)];
      if (first === null || second === null) {
        if (first !== second) return first === null ? 1 : -1;
        continue;
      }
      const order = typeof first === 'string' ? byBytes(first, String(second)) : first - (second as number);
      if (order !== 0) return descending ? -order : order;
    }
    return a.key - b.key;
  }

  #sortable(row: Row, { by, running }: Sort, query: Query): string | number | null {
    if (by === 'relevance')
      return (query.words ?? []).filter((word) => word !== '').reduce((sum, word) => sum + this.#fit(row, word), 0);
    for (const [index, fields] of this.#fields(row).entries()) {
      const schema = index === 0 ? this.schema : this.parent?.schema;
      const began = running ? (fields.numbers[running.since] ?? null) : null;
      if (schema?.numbers.includes(by)) {
        return running && began !== null ? running.until - began : (fields.numbers[by] ?? null);
      }
      if (schema?.sortTexts.includes(by)) return fields.sortTexts[by] || null;
      if (schema?.singles.includes(by)) return fields.singles[by] ?? null;
    }
    throw new Error(`No column ${by}`);
  }
}
