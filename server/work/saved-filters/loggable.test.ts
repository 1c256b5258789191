import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FACET_NAMES } from '#contract/facets.ts';
import type { FacetPreferences } from '#contract/search.ts';
import { loggableFilter } from './loggable.ts';

const none: FacetPreferences = { query: '', dateOfBirth: null, preferenceMap: {}, openPatientsOnly: false };

test('the loggable form names facets and counts values, negated values separately', () => {
  const of = (field: string, negated = false) => ({ field, value: 'x', negated });
  const preferenceMap = {
    diagnoses: [of('diagnoses'), of('diagnoses', true), of('diagnoses')],
    eventDate: [of('eventWeekdaysAgo')],
    gender: [],
  };
  expect(loggableFilter({ ...none, preferenceMap })).toBe(
    'diagnoses: 2, not diagnoses: 1, eventDate (eventWeekdaysAgo): 1',
  );
  expect(loggableFilter({ ...none, query: 'oko', dateOfBirth: '1941-03-14', openPatientsOnly: true })).toBe(
    'text, birth date, current stays only',
  );
  expect(loggableFilter(none)).toBe('none');
});

test('the loggable form does not depend on the values', () => {
  const facets = fc.subarray([...FACET_NAMES]);
  fc.assert(
    fc.property(facets, fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (names, one, other) => {
      const form = (value: string) =>
        loggableFilter({
          ...none,
          query: value,
          dateOfBirth: value,
          preferenceMap: Object.fromEntries(
            names.map((name) => [name, [{ field: name, value, negated: false, loggableFilterRepresentation: value }]]),
          ),
        });
      expect(form(one)).toBe(form(other));
    }),
  );
});
