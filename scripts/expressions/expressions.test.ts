import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowness } from './ambiguity.ts';
import { expressionsIn } from './find.ts';

const ROOT = join(import.meta.dirname, '../..');

function productFiles(folder: string): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d|\.test|vite\.config)\.tsx?$/.test(name) && !name.startsWith('testing/'))
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

test('every regular expression of the product takes linear time', () => {
  const found = ['contract', 'server', 'web', 'demo'].flatMap(productFiles).flatMap(expressionsIn);
  expect(found.length).toBeGreaterThan(200);
  const slow = found.flatMap(({ path, line, pattern, flags }) => {
    const reason = pattern === null ? 'is built from values; write it as a literal' : slowness(pattern, flags);
    return reason === null ? [] : [`${path}:${line}: /${pattern}/${flags} ${reason}`];
  });
  expect(slow).toEqual([]);
});

test.each([
  ['(a+)+$', ''],
  ['(a*)*b', ''],
  ['^(?:a*b?)*$', ''],
  ['^((BABY)?(BOY|BABYBOY)+)+$', ''],
  ['^(a|a)*$', ''],
  ['^(a|ab|b)*c$', ''],
  ['^(\\w+\\s?)*$', ''],
  ['^([a-z0-9]+\\.)*[a-z0-9.]+@$', 'i'],
  ['\\/+$', ''],
  ['\\s+$', ''],
  ['^\\d*\\w*$', ''],
  ['^\\s*-?\\s*$', ''],
  ['a.*?x', ''],
  ['<[^>]*>x?$', ''],
  ['(?=.*x)', ''],
  ['“[^”]*”', 'g'],
  ['(?<=a+)b', ''],
  ['^(a{1,40}){1,40}$', ''],
  ['^(a+)\\1$', ''],
])('/%s/%s is recognized as slow', (pattern, flags) => {
  expect(slowness(pattern, flags)).not.toBeNull();
});

test.each([
  ['^(BABY|NEWBORN|NB|INFANT|TWIN|TRIPLET|BOY|GIRL)+[A-D]?$', ''],
  ['\\s+', 'g'],
  ['^\\d{4}-?\\d{2}-?\\d{2}$', ''],
  ['^(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4})$', ''],
  ['^(.)\\1*$', 'u'],
  ['a\\s+b', ''],
  ['^[^@]+@[^@]+$', ''],
  ['^\\/+', ''],
  ['(?<![\\w.])now\\(\\)', 'i'],
  ['"[^"]*"', 'g'],
  ['^(?:[a-z]+,)*[a-z]+$', ''],
])('/%s/%s is recognized as linear', (pattern, flags) => {
  expect(slowness(pattern, flags)).toBeNull();
});

test('expressions are found as literals, and as strings of constants', () => {
  const text = "const END = 'x+';\nexport const all = [/a|b/g, new RegExp(`^${END}$`, 'u'), RegExp(String(1))];\n";
  expect(expressionsIn({ path: 'server/a.ts', text })).toEqual([
    { path: 'server/a.ts', line: 2, pattern: 'a|b', flags: 'g' },
    { path: 'server/a.ts', line: 2, pattern: '^x+$', flags: 'u' },
    { path: 'server/a.ts', line: 2, pattern: null, flags: '' },
  ]);
});
