import { expect, test } from 'vitest';
import { personName } from './person-name.ts';

test.each<[unknown, string | null]>([
  [' Rosa  María ', 'Rosa María'],
  ['Rosa\u0000\nDiaz', 'Rosa Diaz'],
  ['\u202eazoR', 'azoR'],
  ['e\u0301', 'é'],
  ['نرگس\u200cزاده', 'نرگس\u200cزاده'],
  ['x'.repeat(150), 'x'.repeat(100)],
  [`${'x'.repeat(99)}😀`, 'x'.repeat(99)],
  [' \u0000 ', null],
  ['', null],
  [undefined, null],
  [['Rosa'], null],
])('%j becomes %j', (given, kept) => {
  expect(personName(given, given)).toEqual({ firstName: kept, lastName: kept });
});
