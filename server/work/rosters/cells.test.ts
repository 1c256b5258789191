import { expect, test } from 'vitest';
import { CellError, CompletedCell, readPhone, readSsnLast4, readState, readZip } from './cells.ts';

/** Returns what is stored: '?' for a cell that can't be read, and the value with a plus for a completed one. */
function stored(read: ReturnType<typeof readZip>): string | null {
  if (read instanceof CellError) return '?';
  return read instanceof CompletedCell ? `${read.value} +` : read;
}

test.each([
  ['4998', '04998 +'],
  ['601', '00601 +'],
  ['21551234', '02155-1234 +'],
  ['14601', '14601'],
  ['146010042', '14601-0042'],
  ['12', '?'],
  ['146012', '?'],
  ['none', null],
])('the ZIP code %j is stored as %j', (text, expected) => {
  expect(stored(readZip(text))).toBe(expected);
});

test.each([
  ['mi', 'MI'],
  ['Michigan', 'MI'],
  ['N.Y.', 'NY'],
  ['Washington D.C.', 'DC'],
  ['puerto rico', 'PR'],
  ['AE', 'AE'],
  ['Mitchigan', '?'],
  ['XX', '?'],
  ['N. Carolina', '?'],
  ['unknown', null],
])('the state %j is stored as %j', (text, expected) => {
  expect(stored(readState(text))).toBe(expected);
});

test.each([
  ['(585) 774-2231', '585-774-2231'],
  ['call wife', '?'],
  ['xxx-xxx-xxxx', '?'],
  ['774-2231', '?'],
  ['000-000-0000', null],
])('the phone %j is stored as %j', (text, expected) => {
  expect(stored(readPhone(text))).toBe(expected);
});

test.each([
  ['0042', '0042'],
  ['042', '0042 +'],
  ['12', '?'],
  ['7', '?'],
  ['12345678', '5678'],
  ['***-**-6789', '6789'],
  ['0000', null],
  ['0', null],
])('the last digits of an SSN %j are stored as %j', (text, expected) => {
  expect(stored(readSsnLast4(text))).toBe(expected);
});
