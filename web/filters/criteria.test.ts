import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FACET_NAMES, FACETS } from '#contract/facets.ts';
import {
  type Criteria,
  cleared,
  filterCount,
  noFilters,
  sameSearch,
  withNegation,
  without,
  withRange,
  withSort,
  withText,
  withToggled,
} from './criteria.ts';
import { criteriaOf, type FilterSearch, filterSearch, hasCriteria, searchOf, typedOf } from './filter-search.ts';
import { parametersOf } from './search-parameters.ts';

const ALL = noFilters(10);

describe('changing criteria', () => {
  test('a text sorts by relevance, best match first, and clearing it restores the default order', () => {
    const typed = withText(withSort(ALL, 'LAST_NAME'), 'Lind');
    expect(typed).toMatchObject({ text: 'Lind', sort: 'RELEVANCE', order: 'ASC' });
    expect(withText(typed, '')).toMatchObject({ text: '', sort: 'PING_ENCOUNTER_DATE', order: 'DESC' });
    expect(withText(withSort(typed, 'FIRST_NAME'), '').sort).toBe('FIRST_NAME');
  });
  test('each sort key has its own default order', () => {
    expect(withSort(ALL, 'LENGTH_OF_STAY').order).toBe('DESC');
    expect(withSort(ALL, 'VISIT_DURATION').order).toBe('ASC');
  });
  test('toggling adds and removes a value, which is negated like the others', () => {
    const one = withToggled(ALL, 'program', 'MSSP');
    const not = withToggled(withNegation(one, 'program', true), 'program', 'ACO REACH');
    expect(not.filters.program).toEqual([
      { field: 'program', value: 'MSSP', negated: true },
      { field: 'program', value: 'ACO REACH', negated: true },
    ]);
    expect(withToggled(withToggled(not, 'program', 'MSSP'), 'program', 'ACO REACH').filters).toEqual({});
  });
  test('a range facet holds a single value, and an empty range removes it', () => {
    const aged = withRange(withRange(ALL, 'age', '65:'), 'age', ':17');
    expect(aged.filters.age).toEqual([{ field: 'age', value: ':17', negated: false }]);
    expect(withRange(aged, 'age', ':').filters).toEqual({});
    const days = withRange(ALL, 'eventDate', '0:7', 'eventDaysAgo');
    expect(withRange(days, 'eventDate', '2026-11-01:', 'eventDate').filters.eventDate).toHaveLength(1);
  });
  test("a value that is empty or 'null' is no filter", () => {
    expect(withToggled(ALL, 'city', '')).toBe(ALL);
    expect(withToggled(ALL, 'city', 'null')).toBe(ALL);
  });
  test('clearing removes everything except order and page size', () => {
    const many = withToggled({ ...withSort(ALL, 'LAST_NAME'), size: 20, openPatientsOnly: true }, 'city', 'Alder Bay');
    expect(filterCount(many)).toBe(2);
    expect(cleared(many)).toEqual({ ...ALL, sort: 'LAST_NAME', order: 'ASC', size: 20 });
    expect(cleared(withText(ALL, 'Lind')).sort).toBe('PING_ENCOUNTER_DATE');
    expect(filterCount(without(many, 'city'))).toBe(1);
  });
  test('each fixed filter maps to its facets', () => {
    const of = (view: Criteria['view']) =>
      parametersOf({ ...ALL, view }, { context: 'ALL' }).userDefinedFacetPreferences;
    expect(of('ALL_PATIENTS')).toMatchObject({ openPatientsOnly: false, preferenceMap: {} });
    expect(of('CURRENTLY_ADMITTED')).toMatchObject({ openPatientsOnly: true });
    expect(of('RECENTLY_DISCHARGED')?.preferenceMap).toEqual({
      dischargedDaysAgo: [{ field: 'dischargedDaysAgo', value: '0:30', negated: false }],
    });
  });
});

const value = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text !== 'null');
const whole = fc.nat(500);
/** Criteria as the panel can make them. */
const criteria: fc.Arbitrary<Criteria> = fc
  .array(fc.tuple(fc.constantFrom(...FACET_NAMES), value, fc.boolean(), whole, whole), { maxLength: 8 })
  .map((steps) =>
    steps.reduce<Criteria>((all, [facet, text, negated, a, b]) => {
      const { kind } = FACETS[facet];
      if (kind === 'range') return withRange(all, facet, `${a}:${b}`);
      if (kind === 'date') return withRange(all, facet, `${a}:${b}`, negated ? 'eventDaysAgo' : 'eventWeekdaysAgo');
      return withNegation(withToggled(all, facet, text), facet, negated);
    }, ALL),
  );

/** Returns what a URL holds after a visit to the address bar: the router quotes values that read as JSON, so they survive. */
const roundTrip = (search: FilterSearch): FilterSearch => filterSearch(structuredClone({ ...search }));

describe('the URL of a list', () => {
  test('criteria survive the way into a URL and back', () => {
    fc.assert(
      fc.property(criteria, fc.constantFrom('LAST_NAME', 'LENGTH_OF_STAY', 'PING_ENCOUNTER_DATE'), (made, sort) => {
        const sorted = withSort(made, sort);
        const search = roundTrip(searchOf(sorted, ALL));
        expect(sameSearch(criteriaOf(search, {}, ALL), sorted)).toBe(true);
        expect(hasCriteria(search, {})).toBe(true);
      }),
    );
  });
  test('a name and a birth date are in the history state and never in the URL', () => {
    const typed = { ...withText(ALL, 'Lindqvist'), dateOfBirth: '1956-11-02' };
    expect(JSON.stringify(searchOf(typed, ALL))).not.toMatch(/Lindqvist|1956/);
    expect(criteriaOf(searchOf(typed, ALL), typedOf(typed), ALL)).toEqual(typed);
  });
  test('values with commas, punctuation and digits survive', () => {
    const odd = ['Smith, Jones & Co', '!Bang', 'a\\b', '14201'].reduce(
      (all, one) => withToggled(all, 'practice', one),
      ALL,
    );
    expect(criteriaOf(roundTrip(searchOf(odd, ALL)), {}, ALL).filters).toEqual(odd.filters);
    expect(filterSearch({ 'f.zipCode': 14201 })).toEqual({ 'f.zipCode': '14201' });
  });
  test('invalid parts of a URL are dropped', () => {
    expect(
      filterSearch({
        'f.nothing': 'x',
        'f.age': '65',
        'f.eventDate': 'tomorrow:1:2',
        'f.city': { a: 1 },
        view: 'EVERYTHING',
        size: 1000,
        sort: 'SSN',
        showFilters: 'yes',
      }),
    ).toEqual({});
  });
});
