/** Queries as SQL over a table `entry`, with codes as small integers and multiple values as arrays. */
import type { Answer, Filter, Query } from '#server/work/search/columns/table.ts';
import { codeOf, FACETS, MULTIS, SINGLES } from './facets.ts';

/** The SQL that differs between the two databases. */
export type Dialect = {
  /** Returns a condition: whether the array has one of the codes. */
  overlaps: (column: string, codes: readonly number[]) => string;
};

export type FacetAnswer = { name: string; values: [code: number, count: number][] };
export type SqlAnswer = { total: number; keys: number[]; facets: FacetAnswer[] };

/** Runs a statement and returns its rows as arrays. */
export type Ask = (statement: string) => Promise<unknown[][]>;

/** One way to answer a query with SQL statements. */
export type Plan = (query: Query) => Promise<SqlAnswer>;

const isMulti = new Set(MULTIS.map(({ name }) => name));

function condition(filter: Filter, { overlaps }: Dialect): string[] {
  if ('range' in filter) {
    const bounds = [
      filter.begin === null ? '' : `${filter.range} >= ${filter.begin}`,
      filter.end === null ? '' : `${filter.range} <= ${filter.end}`,
    ].filter((each) => each !== '');
    return [filter.negated ? `not (${bounds.join(' and ')})` : bounds.join(' and ')];
  }
  const { facet } = filter;
  const [any, none] = [filter.any.map(codeOf), filter.none.map(codeOf)];
  const has = (codes: number[]) => (isMulti.has(facet) ? overlaps(facet, codes) : `${facet} in (${codes.join(', ')})`);
  return [...(any.length > 0 ? [has(any)] : []), ...(none.length > 0 ? [`not (${has(none)})`] : [])];
}

/** Returns the query's `where` clause, without the filter on the facet `leftOut`. */
export function where(query: Query, dialect: Dialect, leftOut?: string): string {
  const filters = [...query.where, ...query.filters.filter((each) => !('facet' in each) || each.facet !== leftOut)];
  const words = (query.words ?? []).map((word) => `(last like '${word}%' or first like '${word}%')`);
  const all = [...filters.flatMap((filter) => condition(filter, dialect)), ...words];
  return all.length === 0 ? '' : `where ${all.join(' and ')}`;
}

export const totalOf = (from: string): string => `select count(*)::int from ${from}`;

export function pageOf(from: string, query: Query): string {
  const order = query.sort.map(({ by, descending }) => `${by}${descending ? ' desc' : ''}`);
  return `select id from ${from} order by ${order.join(', ')}, id limit ${query.limit} offset ${query.offset}`;
}

export function facetOf(from: string, name: string, size: number): string {
  const [source, value] = isMulti.has(name) ? [`(select unnest(${name}) as v from ${from}) x`, 'v'] : [from, name];
  return `select ${value}, count(*)::int from ${source} group by 1 order by 2 desc, 1 limit ${size}`;
}

/** A plan with one statement for the total, one for the page and one per facet, using the indexes. */
export async function statementPerFacet(ask: Ask, query: Query, dialect: Dialect): Promise<SqlAnswer> {
  const from = `entry ${where(query, dialect)}`;
  const [total, keys, ...facets] = await Promise.all([
    ask(totalOf(from)),
    ask(pageOf(from, query)),
    ...FACETS.map(({ name }) => ask(facetOf(`entry ${where(query, dialect, name)}`, name, query.facetSize))),
  ]);
  return answer(
    total,
    keys,
    FACETS.map(({ name }, index) => ({ name, rows: facets[index] ?? [] })),
  );
}

/**
 * A plan that first copies the matching rows to a temporary table. Single-valued facets without a filter of their own are counted from it
 * with grouping sets, in one statement; filtered facets are counted from all rows.
 */
export async function temporaryTable(ask: Ask, query: Query, dialect: Dialect): Promise<SqlAnswer> {
  await ask(`create temp table candidate as select * from entry ${where(query, dialect)}`);
  const filtered = new Set(query.filters.flatMap((each) => ('facet' in each ? [each.facet] : [])));
  const grouped = SINGLES.map(({ name }) => name).filter((name) => !filtered.has(name));
  const [total, keys, sets] = [
    await ask(totalOf('candidate')),
    await ask(pageOf('candidate', query)),
    await ask(groupingSets(grouped, query.facetSize)),
  ];
  const facets: { name: string; rows: unknown[][] }[] = [];
  for (const { name } of FACETS) {
    const index = grouped.indexOf(name);
    if (index >= 0) {
      // In the bit mask of `grouping`, only the bit of the grouped column is 0.
      const set = 2 ** grouped.length - 1 - 2 ** (grouped.length - 1 - index);
      facets.push({ name, rows: sets.filter(([each]) => Number(each) === set).map((row) => row.slice(1)) });
    } else {
      const from = filtered.has(name) ? `entry ${where(query, dialect, name)}` : 'candidate';
      facets.push({ name, rows: await ask(facetOf(from, name, query.facetSize)) });
    }
  }
  await ask('drop table candidate');
  return answer(total, keys, facets);
}

function groupingSets(names: readonly string[], size: number): string {
  const counted = `select grouping(${names.join(', ')}) as g, coalesce(${names.join(', ')}) as v, count(*)::int as c
    from candidate group by grouping sets (${names.map((name) => `(${name})`).join(', ')})`;
  const ranked = `select *, row_number() over (partition by g order by c desc, v) as n from (${counted}) x`;
  return `select g, v, c from (${ranked}) y where n <= ${size} order by g, n`;
}

function answer(
  total: readonly unknown[][],
  keys: readonly unknown[][],
  facets: readonly { name: string; rows: readonly unknown[][] }[],
): SqlAnswer {
  return {
    total: Number(total[0]?.[0]),
    keys: keys.map(([key]) => Number(key)),
    facets: facets.map(({ name, rows }) => ({ name, values: rows.map(([v, c]) => [Number(v), Number(c)]) })),
  };
}

/** Returns the columns' result in the same form, without selected values that are not among the most frequent. */
export function asSql({ total, keys, facets }: Answer, size: number): SqlAnswer {
  return {
    total,
    keys,
    facets: FACETS.map(({ name }) => ({
      name,
      values: (facets[name]?.values ?? [])
        .slice(0, size)
        .filter(({ count }) => count > 0)
        .map(({ value, count }) => [codeOf(value), count]),
    })),
  };
}
