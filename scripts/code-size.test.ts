import { expect, test } from 'vitest';
import { LIMITS, oversized } from './code-size.ts';

const lines = (count: number) => 'const a = 1;\n'.repeat(count);
const functionOf = (count: number) => `function long() {\n${lines(count - 2)}}\n`;

test('files, test files and functions may be so long and no longer', () => {
  const fitting = [
    { path: 'server/a.ts', text: functionOf(LIMITS.function) },
    { path: 'server/a.test.ts', text: lines(LIMITS.testFile) },
    { path: 'server/b.ts', text: '' },
  ];
  expect(oversized(fitting)).toEqual([]);
  expect(oversized([...fitting, { path: 'server/c.ts', text: lines(LIMITS.file + 1) }])).toEqual([
    'server/c.ts: has 301 lines, and 300 is the most',
  ]);
  expect(oversized([...fitting, { path: 'server/c.test.ts', text: lines(LIMITS.testFile + 1) }])).toEqual([
    'server/c.test.ts: has 401 lines, and 400 is the most',
  ]);
  expect(oversized([...fitting, { path: 'server/b2.ts', text: `\n${functionOf(LIMITS.function + 1)}` }])).toEqual([
    'server/b2.ts:2: a function has 81 lines, and 80 is the most',
  ]);
});

test('half of the files are short', () => {
  const [long] = oversized([{ path: 'server/a.ts', text: lines(LIMITS.medianFile + 1) }]);
  expect(long).toBe('the median file has 81 lines, and 80 is the most');
});
