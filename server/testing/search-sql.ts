/** Searches in plain SQL, over a table `rows` with the rows of the search as JSON, to compare the search with. */
import { FACET_NAMES, FACETS, type Facet, type FacetDefinition, type SearchContext } from '#contract/facets.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { orderOf } from '#server/work/search/row-order.ts';
import { columnOfFacet } from '#server/work/search/schema.ts';

const kindOf = (facet: Facet): FacetDefinition['kind'] => FACETS[facet].kind;

/** Returns one facet's filter as a condition. */
function facetSql(
  context: SearchContext,
  facet: Facet,
  values: SearchParameters['userDefinedFacetPreferences']['preferenceMap'][Facet] = [],
): Sql {
  const column = columnOfFacet(context, facet);
  const [first] = values;
  if (kindOf(facet) === 'range' || kindOf(facet) === 'date') {
    if (!first) return sql`true`;
    const [begin, end] = first.value.split(':').map((text) => (text === '' ? null : Number(text)));
    const number = sql`(numbers ->> ${column})::int`;
    const value =
      {
        age: sql`extract(year from age(date '2026-11-20', date '1970-01-01' + ${number}))`,
        eventDate: sql`(date '2026-11-20' - date '1970-01-01') - ${number}`,
        dischargedDaysAgo: sql`(date '2026-11-20' - date '1970-01-01') - ${number}`,
      }[facet as string] ?? number;
    const within = sql`${value} between coalesce(${begin}, -1000000) and coalesce(${end}, 1000000)`;
    return first.negated ? sql`not (${within})` : within;
  }
  const has = (list: string[]) =>
    kindOf(facet) === 'one'
      ? sql`coalesce(singles ->> ${column} = any (${list}::text[]), false)`
      : sql`coalesce(multis -> ${column} ?| ${list}::text[], false)`;
  const any = values.filter(({ negated }) => !negated).map(({ value }) => value);
  const none = values.filter(({ negated }) => negated).map(({ value }) => value);
  return sql`(${any.length > 0 ? has(any) : sql`true`}) and not (${none.length > 0 ? has(none) : sql`false`})`;
}

function whereSql(
  groupIds: readonly string[],
  context: SearchContext,
  { visibleTo, userDefinedFacetPreferences }: SearchParameters,
): Sql[] {
  const { query, openPatientsOnly } = userDefinedFacetPreferences;
  const groups = context === 'ALL' ? sql`multis -> 'lists'` : sql`multis -> 'group'`;
  const words = query.toLowerCase().split(' ').filter(Boolean);
  return [
    sql`context = ${context}`,
    context === 'ALL' || visibleTo?.length
      ? sql`coalesce(${groups} ?| ${visibleTo?.length ? visibleTo : groupIds}::text[], false)`
      : sql`true`,
    openPatientsOnly ? sql`singles ->> ${context === 'ALL' ? 'latest.isOpen' : 'isOpen'} = 'OPEN'` : sql`true`,
    ...words.map(
      (word) => sql`exists (
      select from jsonb_array_elements_text(coalesce(words -> 'name', '[]') || coalesce(words -> 'identifier', '[]')) as w where starts_with(w, ${word}))`,
    ),
  ];
}

/** Returns the total, the page and the facet counts of a search over the table `rows`. `groupIds`: the groups of the actor. */
export async function searchInSql(
  { owner, groupIds }: { owner: Queryable; groupIds: readonly string[] },
  context: SearchContext,
  parameters: SearchParameters,
  facets: readonly Facet[],
) {
  const map = parameters.userDefinedFacetPreferences.preferenceMap;
  const where = whereSql(groupIds, context, parameters);
  const filters = FACET_NAMES.map((facet) => ({ facet, condition: facetSql(context, facet, map[facet]) }));
  const all = join([...where, ...filters.map(({ condition }) => sql`(${condition})`)], ' and ');
  const order = orderOf(parameters, context, new Date('2026-11-20T15:00:00Z')).map(({ by, descending, running }) => {
    const value = /firstName|lastName|roomAndBed/.test(by)
      ? sql`nullif(sort_texts ->> ${by}, '') collate "C"`
      : running
        ? sql`coalesce(${running.until} - (numbers ->> ${running.since})::int, (numbers ->> ${by})::int)`
        : sql`(numbers ->> ${by})::int`;
    return descending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`;
  });
  const { rows } = await owner.query<{ key: string }>(
    sql`select key from rows where ${all} order by ${join([...order, sql`key`], ', ')}`,
  );
  const from = (parameters.pageNumber - 1) * parameters.pageSize;
  const counts: Record<string, Record<string, number>> = {};
  for (const facet of facets) {
    const others = filters.filter((each) => each.facet !== facet).map(({ condition }) => sql`(${condition})`);
    const column = columnOfFacet(context, facet);
    const value =
      kindOf(facet) === 'one'
        ? sql`select singles ->> ${column} as value`
        : sql`select jsonb_array_elements_text(coalesce(multis -> ${column}, '[]')) as value`;
    const counted = await owner.query<{ value: string; count: number }>(sql`
      select value, count(*)::int as count from rows cross join lateral (${value}) as v
      where ${join([...where, ...others], ' and ')} and value is not null group by value`);
    counts[facet] = Object.fromEntries(counted.rows.map((row) => [row.value, row.count]));
  }
  return {
    total: rows.length,
    keys: rows.slice(from, from + parameters.pageSize).map(({ key }) => Number(key)),
    counts,
  };
}
