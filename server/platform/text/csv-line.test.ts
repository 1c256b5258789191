import { expect, test } from 'vitest';
import { csvLine } from './csv-line.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', `"x;'=1+1"`],
  ['x; "=1+1', `"x; ""'=1+1"`],
  ['x\t@SUM(A1)', `"x\t'@SUM(A1)"`],
  ['x\n＝1', `"x\n'＝1"`],
  ['Heart failure; I50.9', '"Heart failure; I50.9"'],
  ['a, b', '"a, b"'],
  ['2-3', '2-3'],
])('the cell %j is written as %j, so that no spreadsheet takes a part of it for a formula', (value, written) => {
  expect(csvLine([value, 'z'])).toBe(`${written},z\r\n`);
});
