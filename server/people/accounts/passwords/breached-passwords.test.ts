import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { breachedPasswords } from './breached-passwords.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidings-breached-'));
afterAll(() => rmSync(folder, { recursive: true }));

const listOf = (name: string, passwords: readonly string[], end = '\r\n'): string => {
  const path = join(folder, name);
  const hash = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
  const lines = passwords.map((password, index) => `${hash(password)}:${index * 977}`).toSorted();
  writeFileSync(path, lines.join(end) + end);
  return path;
};
const refused = async (path: string, passwords: readonly string[]): Promise<string[]> => {
  const refuse = breachedPasswords(path);
  const outcomes = await Promise.all(
    passwords.map((each) =>
      refuse(each).then(
        () => [],
        () => [each],
      ),
    ),
  );
  return outcomes.flat();
};

const MANY = Array.from({ length: 3000 }, (_, index) => `leaked ${index}`);

test.each([
  [1, '\n'],
  [2, '\r\n'],
  [7, '\n'],
  [3000, '\r\n'],
])('every one of %i listed passwords is found, and no other', async (count, end) => {
  const listed = MANY.slice(0, count);
  const path = listOf(`list ${count}`, listed, end);
  expect(await refused(path, listed)).toEqual(listed);
  expect(await refused(path, MANY.map((each) => `${each}!`).slice(0, 500))).toEqual([]);
});

test('a password typed in other code points is the same', async () => {
  expect(await refused(listOf('unicode', ['caf\u00e9 au lait']), ['cafe\u0301 au lait'])).toHaveLength(1);
});

test('without a file nothing is refused; a file that is missing or something else stops the start', async () => {
  await breachedPasswords(null)('leaked 1');
  expect(() => breachedPasswords(join(folder, 'none'))).toThrow('TIDINGS_BREACHED_PASSWORDS cannot be read (ENOENT)');
  writeFileSync(join(folder, 'words'), 'password\n123456\n');
  expect(() => breachedPasswords(join(folder, 'words'))).toThrow('is no sorted list of SHA-1 hashes');
});
