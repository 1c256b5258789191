import { expect, test } from 'vitest';
import { emptyState, writeFields } from './visit-state.ts';

const DAY = '2026-11-20';

test('the diagnosis related group stays until a message changes or deletes it', () => {
  const state = emptyState();
  const after = (visit: Parameters<typeof writeFields>[1]) => {
    writeFields(state, visit, DAY);
    return state.drg;
  };
  expect([after({}), after({ drg: '291' }), after({}), after({ drg: '292' }), after({ drg: null })]).toEqual([
    undefined,
    '291',
    '291',
    '292',
    null,
  ]);
});

test.each<[string, string[][], string]>([
  [
    'a final set replaces the final one before',
    [
      ['I50.33 F', 'N18.4 F'],
      ['I13.0 F', 'I50.33 F', 'N18.4 F'],
    ],
    'I13.0 F, I50.33 F, N18.4 F',
  ],
  ['what final coding took out is gone', [['I50.33 F', 'N18.4 F'], ['I13.0 F']], 'I13.0 F'],
  ['working diagnoses stay after a final set', [['R06.0 A', 'I50.33 W'], ['I13.0 F']], 'I13.0 F, R06.0 A, I50.33 W'],
  ['the newest set comes first', [['R06.0 A'], ['I50.33 A', 'R06.0 A']], 'I50.33 A, R06.0 A'],
  ['a final diagnosis stays final', [['I50.33 F'], ['I50.33 A', 'R06.0 A']], 'I50.33 F, R06.0 A'],
])('of several sets of diagnoses, %s', (_, sets, expected) => {
  const state = emptyState();
  for (const set of sets) {
    const diagnoses = set.map((each) => {
      const [code = '', type] = each.split(' ');
      return { code, description: null, type: type as 'A' | 'W' | 'F', priority: null, codeSystem: 'I10' };
    });
    writeFields(state, { diagnoses }, DAY);
  }
  expect(state.diagnoses.map(({ code, type }) => `${code} ${type}`).join(', ')).toBe(expected);
});

test('a priority of the set before does not outlive it', () => {
  const state = emptyState();
  const of = (code: string, priority: number | null) => ({
    code,
    description: null,
    type: 'F' as const,
    priority,
    codeSystem: 'I10',
  });
  writeFields(state, { diagnoses: [of('I50.33', 1), of('N18.4', 2)] }, DAY);
  writeFields(state, { diagnoses: [of('I13.0', null), of('I50.33', null)] }, DAY);
  expect(state.diagnoses.map(({ priority }) => priority)).toEqual([null, null]);
});

test('a diagnosis says since when it has its type, and which it had before', () => {
  const state = emptyState();
  const of = (code: string, type: 'A' | 'W' | 'F') => ({
    code,
    description: null,
    type,
    priority: null,
    codeSystem: 'I10',
  });
  const shown = () => state.diagnoses.map(({ code, type, since, before }) => [code, type, since, before]);
  writeFields(state, { diagnoses: [of('J44.1', 'A')] }, '2026-11-23');
  writeFields(state, { diagnoses: [of('J44.1', 'A')] }, '2026-11-24');
  writeFields(state, { diagnoses: [of('I50.9', 'F'), of('J44.1', 'F')] }, '2026-11-26');
  writeFields(state, { diagnoses: [of('I50.9', 'F'), of('J44.1', 'F')] }, '2026-11-28');
  expect(shown()).toEqual([
    ['I50.9', 'F', '2026-11-26', undefined],
    ['J44.1', 'F', '2026-11-26', [{ type: 'A', since: '2026-11-23' }]],
  ]);
  const other = emptyState();
  writeFields(other, { diagnoses: [of('J44.1', 'F'), of('J44.1', 'A')] }, DAY);
  expect(other.diagnoses).toMatchObject([{ type: 'F', since: DAY }]);
});
