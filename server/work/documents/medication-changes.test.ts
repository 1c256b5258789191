import { expect, test } from 'vitest';
import type { CodedEntry } from '#contract/clinical-documents.ts';
import { medicationChanges } from './medication-changes.ts';

const medication = (name: string, status: string | null = 'Active', value: string | null = null): CodedEntry => ({
  kind: 'medication',
  name,
  code: null,
  isNegated: false,
  missing: null,
  status,
  when: null,
  value,
  interpretation: null,
  referenceRange: null,
  details: [],
  panel: null,
});

test('a medication that the later list stops is stopped, and one that it leaves out is only no longer listed', () => {
  const before = [medication('Lisinopril'), medication('Furosemide'), medication('Aspirin', 'Stopped')];
  const after = [medication('Lisinopril', 'Stopped'), medication('Metoprolol')];
  expect(medicationChanges(before, after).map(({ change, name }) => [change, name])).toEqual([
    ['ADDED', 'Metoprolol'],
    ['STOPPED', 'Lisinopril'],
    ['REMOVED', 'Furosemide'],
  ]);
});

test('a medication that a list keeps as no longer active is not one that is taken', () => {
  const before = [medication('Lisinopril'), medication('Aspirin', 'No longer active')];
  const after = [medication('Lisinopril', 'Inactive'), medication('Aspirin', 'Active')];
  expect(medicationChanges(before, after).map(({ change, name }) => [change, name])).toEqual([
    ['ADDED', 'Aspirin'],
    ['STOPPED', 'Lisinopril'],
  ]);
});
