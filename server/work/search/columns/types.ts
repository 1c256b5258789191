/** What a table's rows hold. All names are the caller's; each name is used once, also between a table and its parent. */
export type TableSchema = {
  /** Facets with at most one value a row; null is none: never counted, never matched by `any`. */
  singles: readonly string[];
  /** Facets with any number of values a row. */
  multis: readonly string[];
  /** 32-bit integers or null (days, minutes, years), filtered as ranges and sorted by. */
  numbers: readonly string[];
  /** Text that is only sorted by, in the order of its UTF-8 bytes (COLLATE "C"). */
  sortTexts: readonly string[];
  /** Kinds of searchable words, normalised by the caller. The kind called 'name' forgives a typo. */
  words: readonly string[];
};

/** One row; a column that is left out is empty (null, no value, '' or no word). */
export type Row = {
  /** A safe integer of the caller's. */
  key: number;
  /** The parent row's key; needed where the table has a parent. */
  parent?: number;
  singles: Record<string, string | null>;
  multis: Record<string, readonly string[]>;
  numbers: Record<string, number | null>;
  sortTexts: Record<string, string>;
  words: Record<string, readonly string[]>;
};

export type FacetFilter = {
  facet: string;
  /** The row has one of these; where empty, nothing is asked. */
  any: readonly string[];
  /** The row has none of these; a row without a value passes. */
  none: readonly string[];
};

export type RangeFilter = {
  range: string;
  /** Inclusive; null is open. */
  begin: number | null;
  end: number | null;
  /** Outside of begin to end instead. A row without a number matches neither way. */
  negated: boolean;
};

export type Filter = FacetFilter | RangeFilter;

export type Sort = {
  /** A number, a sort text, a single-valued facet (by the value's bytes) or 'relevance'. */
  by: string;
  descending: boolean;
};

/** Which rows match. */
export type Condition = {
  /**
   * Normalised. Each has to be the beginning of some word of the row (or of its parent), or, among words of the kind
   * 'name' and from 4 letters on, be one typo away from such a beginning: a letter too many, too few, another one, or
   * two neighbours exchanged.
   */
  words?: readonly string[];
  /** Each facet or range at most once, at most 254; a facet is counted without its own filter. */
  filters: readonly Filter[];
  /** Always applied, also to counts: masks, ignored rows. */
  where: readonly Filter[];
  /** Keys of rows to leave out. */
  without?: readonly number[];
};

export type Query = Condition & {
  /** Null last in both orders; rows that are equal stand by key, ascending. */
  sort: readonly Sort[];
  offset: number;
  limit: number;
  /** Which facets to count. */
  facets: readonly string[];
  /** How many of a facet's values to give; those selected in `filters` come in any case. */
  facetSize: number;
  /** Of which numbers to give the smallest and largest, each without its own filter. */
  ranges?: readonly string[];
};

export type ValueCount = { value: string; count: number };

export type FacetCount = {
  /** By count, most first, then by the value's bytes. */
  values: ValueCount[];
  /** How many values have a count above 0. */
  distinct: number;
};

export type Answer = {
  total: number;
  /** The page's rows. */
  keys: number[];
  facets: Record<string, FacetCount>;
  /** Null where no matching row has a number. */
  ranges: Record<string, { min: number; max: number } | null>;
};
