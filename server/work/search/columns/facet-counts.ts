import type { Counts } from './counting.ts';
import { nameOf } from './matching.ts';
import { TopValues } from './top-values.ts';
import type { Condition, FacetCount } from './types.ts';

/** Returns the most frequent values of each facet, and the values that its filter selects. */
export function topValues(
  counted: ReadonlyMap<string, Counts>,
  size: number,
  filters: Condition['filters'],
): Record<string, FacetCount> {
  const selected = new Map(filters.map((each) => [nameOf(each), 'facet' in each ? [...each.any, ...each.none] : []]));
  const tops = topsOf(counted, size);
  return Object.fromEntries(
    [...counted].map(([name, facet]) => [
      name,
      facetCount(facet, tops.get(facet) as TopValues, selected.get(name) ?? []),
    ]),
  );
}

function topsOf(counted: ReadonlyMap<string, Counts>, size: number): Map<Counts, TopValues> {
  const tops = new Map<Counts, TopValues>();
  const byDictionary = Map.groupBy(counted.values(), ({ dictionary }) => dictionary);
  for (const [dictionary, facets] of byDictionary) {
    const labels = dictionary.labels();
    const byKind: (TopValues | undefined)[] = [];
    for (const facet of facets) {
      const top = new TopValues(size, facet.counts, labels);
      byKind[facet.kind + 1] = top;
      tops.set(facet, top);
    }
    const { counts } = facets[0] as Counts;
    const { kinds } = dictionary;
    for (let code = 1; code < counts.length; code += 1) {
      const count = counts[code] as number;
      if (count > 0) byKind[kinds[code] as number]?.offer(code, count);
    }
  }
  return tops;
}

function facetCount({ dictionary, kind, counts }: Counts, top: TopValues, selected: readonly string[]): FacetCount {
  const codes = top.codes();
  const values = codes.map((code) => ({ value: dictionary.text(code), count: counts[code] as number }));
  const given = new Set(values.map(({ value }) => value));
  const missing = [...new Set(selected)].filter((value) => !given.has(value));
  if (missing.length > 0) {
    for (const value of missing) {
      const code = dictionary.find(kind, value);
      values.push({ value, count: code === 0 ? 0 : (counts[code] as number) });
    }
    values.sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)));
  }
  return { values, distinct: top.distinct };
}
