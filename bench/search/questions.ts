/** The fourteen queries of the search bench, from all rows to a single birth date. */
import type { Filter, Query } from '#server/work/search/columns/table.ts';
import { FACETS, valueOf } from './facets.ts';
import type { Rows } from './rows.ts';

export type Question = { name: string; query: Query };

const any = (facet: string, ...codes: number[]): Filter => ({
  facet,
  any: codes.map((code) => valueOf(facet, code)),
  none: [],
});
const none = (facet: string, ...codes: number[]): Filter => ({
  facet,
  any: [],
  none: codes.map((code) => valueOf(facet, code)),
});
const range = (name: string, begin: number | null, end: number | null): Filter => ({
  range: name,
  begin,
  end,
  negated: false,
});

const byLast: Query['sort'] = [
  { by: 'last', descending: false },
  { by: 'first', descending: false },
];
const byFirst = byLast.toReversed();
const byDay: Query['sort'] = [{ by: 'day', descending: true }];
const byLength: Query['sort'] = [{ by: 'length', descending: false }];

/** Returns the queries. Each asks for the total, a page, and 50 values of every facet. */
export function questionsFor(rows: Rows): Question[] {
  const ask = (name: string, sort: Query['sort'], filters: readonly Filter[], rest: Partial<Query> = {}): Question => ({
    name,
    query: {
      filters,
      where: [],
      sort,
      offset: 0,
      limit: 20,
      facets: FACETS.map((facet) => facet.name),
      facetSize: 50,
      ...rest,
    },
  });
  const birth = rows.numbers.birth[123] as number;
  return [
    ask('unfiltered', byLast, []),
    ask('one wide filter', byDay, [any('setting', 0, 1)]),
    ask('one narrow filter', byLast, [any('provider', 1500)]),
    ask('three facets', byDay, [any('status', 0, 3), any('state', 1, 2, 3, 7, 9), any('program', 1)]),
    ask('negated', byLast, [none('status', 0, 5)]),
    ask('two ranges', byDay, [range('age', 65, 80), range('day', 20_424, null)]),
    ask('name prefix', byFirst, [], { words: ['smi'] }),
    ask('two names, two filters', byLast, [any('gender', 0), any('payor', 0, 1, 2, 3)], { words: ['smi', 'jo'] }),
    ask('diagnoses', byLength, [any('diagnosis', 0, 700)]),
    ask('deep page', byFirst, [any('setting', 0)], { offset: 20 * Math.min(500, Math.floor(rows.count / 200)) }),
    ask('day of birth', byLast, [], { where: [range('birth', birth, birth)], limit: 10 }),
    ask('six filters', byLength, [
      any('flag0', 0),
      none('setting', 3),
      range('age', 30, 90),
      any('management', 0, 1, 2),
      none('dischargedto', 7),
      range('length', 1, 60),
    ]),
    ask('multi-valued, negated', byDay, [none('diagnosis', 1), any('pastdiagnosis', 0, 2, 5), none('tag', 0)]),
    ask('short prefix, range', byLength, [range('length', 3, 30)], { words: ['j'], limit: 10 }),
  ];
}
