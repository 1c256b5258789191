import { describe, expect, test } from 'vitest';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import { LONGEST_COMPONENT, LONGEST_TEXT, MOST_REPETITIONS } from './field-limits.ts';

const letters = (count: number) => 'A'.repeat(count);
const reasonOf = (pid: Parameters<typeof factsOf>[1], more: Parameters<typeof factsOf>[3] = []) => {
  const reading = read([msh('A01'), { name: 'PID', fields: { ...PATIENT, ...pid } }, ...more]);
  return 'reason' in reading ? `${reading.kind}: ${reading.reason}` : reading.kind;
};

describe('a message over the limits is quarantined, and the reason names segment and field', () => {
  test.each([
    [5, 'PID-5'],
    [3, 'PID-3'],
    [11, 'PID-11'],
    [13, 'PID-13'],
  ])('PID-%i', (field, name) => {
    expect(reasonOf({ [field]: [[letters(LONGEST_COMPONENT + 1)]] })).toBe(
      `quarantine: ${name} has a component longer than 250 characters. Ask the sender to correct and resend the message.`,
    );
  });

  test('a name of 200,000 characters', () => {
    expect(reasonOf({ 5: [['ROE', letters(200_000)]] })).toContain('PID-5 has a component longer than 250 characters');
  });

  test('texts that people write have more room', () => {
    const reason = (count: number) => ({ name: 'PV2', fields: { 3: [['', letters(count)]] } });
    expect(reasonOf({}, [reason(LONGEST_TEXT)])).toBe('facts');
    expect(reasonOf({}, [reason(LONGEST_TEXT + 1)])).toContain('PV2-3 has a component longer than 1000 characters');
  });

  test('repetitions and segments', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => [`M-${n}`]);
    expect(reasonOf({ 3: ids(MOST_REPETITIONS) })).toBe('facts');
    expect(reasonOf({ 3: ids(MOST_REPETITIONS + 1) })).toContain('PID-3 has more than 100 repetitions');
    const diagnoses = Array.from({ length: MOST_REPETITIONS + 1 }, () => ({ name: 'DG1', fields: { 3: 'I50.9' } }));
    expect(reasonOf({}, diagnoses)).toContain('The message has more than 100 DG1 segments');
  });
});

test('values of exactly the limit, in several repetitions, are read', () => {
  const name = letters(LONGEST_COMPONENT);
  const { patient } = factsOf('A01', {
    5: [
      [name, name, name],
      ['ROE', 'ANN', '', '', '', '', 'A'],
    ],
  });
  expect(patient.name).toMatchObject({ family: name, given: name, middle: name });
});

test('control characters in values become blanks; the line end of an escape sequence stays', () => {
  const { patient, visit } = factsOf('A01', { 3: 'M\u00011', 5: [['RO\u001bE', '\u0007ANN\u0085']] }, {}, [
    { name: 'PV2', fields: { 3: [['', 'Fall\nat\thome']] } },
  ]);
  expect(patient.recordNumber).toBe('M 1');
  expect(patient.name).toMatchObject({ family: 'RO E', given: 'ANN' });
  expect(visit?.admitReason).toBe('Fall\nat home');
});
