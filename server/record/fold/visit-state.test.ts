import { expect, test } from 'vitest';
import { emptyState, writeFields } from './visit-state.ts';

test('the diagnosis related group stays until a message changes or deletes it', () => {
  const state = emptyState();
  const after = (visit: Parameters<typeof writeFields>[1]) => {
    writeFields(state, visit);
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
