/** The columns of a table. Names are up to the caller; a name is used only once in a table and its parent. */
export type TableSchema = {
  /** Facets with at most one value per row. Null means no value: it is never counted and never matched by `any`. */
  singles: readonly string[];
  /** Facets with any number of values per row. */
  multis: readonly string[];
  /** 32-bit integers or null (days, minutes, years), for range filters and sorting. */
  numbers: readonly string[];
  /** Text used only for sorting, in the order of its UTF-8 bytes (COLLATE "C"). */
  sortTexts: readonly string[];
  /** Kinds of searchable words, normalized by the caller. The kind called 'name' forgives a typo. */
  words: readonly string[];
};

/** One row. A column that is left out is empty (null, no value, '' or no word). */
export type Row = {
  /** A safe integer, chosen by the caller. */
  key: number;
  /** The parent row's key; required if the table has a parent. */
  parent?: number;
  singles: Record<string, string | null>;
  multis: Record<string, readonly string[]>;
  numbers: Record<string, number | null>;
  sortTexts: Record<string, string>;
  words: Record<string, readonly string[]>;
};

export type FacetFilter = {
  facet: string;
  /** The row must have one of these; empty means no requirement. */
  any: readonly string[];
  /** The row must have none of these; a row without a value passes. */
  none: readonly string[];
};

export type RangeFilter = {
  range: string;
  /** Inclusive; null means open. */
  begin: number | null;
  end: number | null;
  /** Matches numbers outside begin to end. A row without a number matches neither way. */
  negated: boolean;
};

export type Filter = FacetFilter | RangeFilter;

export type Sort = {
  /** A number, a sort text, a single-valued facet (by the value's bytes) or 'relevance'. */
  by: string;
  descending: boolean;
  /** For rows with a number in the column `since`: they are sorted by what there is from it until `until`. */
  running?: { since: string; until: number };
};

/** Which rows match. */
export type Condition = {
  /**
   * Normalized. Each has to be a prefix of a word of the row or of its parent. For words of the kind 'name', from 4 letters on, one typo is
   * forgiven: a letter inserted, missing or replaced, or two neighboring letters swapped.
   */
  words?: readonly string[];
  /** At most 254, each facet or range at most once. A facet is counted without its own filter. */
  filters: readonly Filter[];
  /** Always applied, also to counts: masks, ignored rows. */
  where: readonly Filter[];
  /** Keys of rows to leave out. */
  without?: readonly number[];
};

export type Query = Condition & {
  /** Null and an empty sort text come last in both directions. Equal rows are in ascending order of their keys. */
  sort: readonly Sort[];
  offset: number;
  limit: number;
  /** Which facets to count. */
  facets: readonly string[];
  /** How many values of a facet to return. Values selected in `filters` are always included. */
  facetSize: number;
  /** The numbers to return the smallest and largest of, each without its own filter. */
  ranges?: readonly string[];
};

export type ValueCount = { value: string; count: number };

export type FacetCount = {
  /** By descending count, then by the value's bytes. */
  values: ValueCount[];
  /** The number of values with a count above 0. */
  distinct: number;
};

export type Answer = {
  total: number;
  /** The rows on the page. */
  keys: number[];
  facets: Record<string, FacetCount>;
  /** Null if no matching row has a number. */
  ranges: Record<string, { min: number; max: number } | null>;
};
