import { expect, test } from 'vitest';
import { FILTER_GROUPS } from './filter-groups.ts';

const SPECIFIED =
  'Open Care Gaps, Covid-19, Current Status, Ongoing HHA Services, Facility Name, Facility State, Facility Type, Setting, Current Floor / Unit, Diagnoses, Prior Diagnoses, Admitted From, Discharged To, Currently Billing, Event Date, Visit Duration, Flags, Patient Story Information, Latest Ping Resolution Reason, Program, Active Tags, Practice, Provider, Care Coordinator, Gender, Age, City, Zip Code';

test('groups have the order, flags, typeaheads and expansion of the specification', () => {
  expect(FILTER_GROUPS.map(({ label }) => label).join(', ')).toBe(SPECIFIED);
  expect(FILTER_GROUPS.find(({ label }) => label === 'Flags')?.facets).toEqual([
    'hospitalUse',
    'encounterTags',
    'skilledNursing30Day',
    'dischargeSummary',
    'readmissionRisk',
    'recentInpatientStay',
    'advanceCareDocuments',
    'risingRisk',
  ]);
  const having = (typeahead: string) =>
    FILTER_GROUPS.filter((group) => group.typeahead === typeahead).flatMap(({ facets }) => facets);
  expect(having('always')).toEqual(['facilityName', 'program', 'practice']);
  expect(having('on demand')).toEqual([
    'floorUnit',
    'diagnoses',
    'priorDiagnoses',
    'provider',
    'careCoordinator',
    'city',
    'zipCode',
  ]);
  expect(FILTER_GROUPS.filter(({ isExpanded }) => isExpanded).map(({ label }) => label)).toEqual(['Current Status']);
});

test('each group has a facet, and a group with typeahead has exactly one', () => {
  for (const { label, facets, typeahead } of FILTER_GROUPS) {
    expect([label, facets.length > 0]).toEqual([label, true]);
    if (typeahead) expect([label, facets.length]).toEqual([label, 1]);
  }
});
