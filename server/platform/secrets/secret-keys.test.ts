import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseSecretKeys, readSecretKeys } from './secret-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidings-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

test('several keys are separated by commas or lines', () => {
  expect(parseSecretKeys(`${key(1)},${key(2)}\n`)).toEqual([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
  for (const wrong of ['', 'a password', key(1).slice(0, -4), `${key(1)},short`, Buffer.alloc(31).toString('base64')])
    expect(parseSecretKeys(wrong), wrong).toBeNull();
});

test('the data folder’s key file is created for this account only, and used again', () => {
  const file = join(folder, 'data', 'secret.key');
  const created = readSecretKeys({ file, isOurs: true });
  expect(created[0]).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readSecretKeys({ file, isOurs: true })).toEqual(created);
});

test('an operator’s key file that is missing or holds something else is named, without its content', () => {
  const file = join(folder, 'keys');
  expect(() => readSecretKeys({ file, isOurs: false })).toThrow(`The key file ${file} cannot be read (ENOENT)`);
  writeFileSync(file, 'hunter2');
  expect(() => readSecretKeys({ file, isOurs: false })).toThrow(
    `${file} must hold keys of 32 bytes in base64: openssl rand -base64 32`,
  );
});
