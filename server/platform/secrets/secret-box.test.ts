import { expect, test } from 'vitest';
import { secretBox } from './secret-box.ts';

const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const box = secretBox([present]);
const PLACE = 'users.mfa_secret 12';

test('a secret opens at its place only, and two of the same differ', () => {
  const sealed = box.seal('JBSWY3DPEHPK3PXP', PLACE);
  expect(box.open(sealed, PLACE)).toBe('JBSWY3DPEHPK3PXP');
  expect(sealed).not.toContain('JBSW');
  expect(box.seal('JBSWY3DPEHPK3PXP', PLACE)).not.toBe(sealed);
  expect(() => box.open(sealed, 'users.mfa_secret 13')).toThrow('users.mfa_secret 13 was altered');
});

test('an altered text, a text that is cut short, and one in clear are refused', () => {
  const sealed = box.seal('a secret', PLACE);
  const last = sealed.at(-3) === 'A' ? 'B' : 'A';
  for (const wrong of [`${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`, sealed.slice(0, -8), box.prefix])
    expect(() => box.open(wrong, PLACE)).toThrow('was altered');
  expect(() => box.open('a secret', PLACE)).toThrow('is not encrypted');
});

test('the first key encrypts, and all of them decrypt', () => {
  const before = secretBox([old]).seal('a secret', PLACE);
  const rotated = secretBox([present, old]);
  expect(rotated.open(before, PLACE)).toBe('a secret');
  expect(rotated.seal('a secret', PLACE).startsWith(box.prefix)).toBe(true);
  expect(() => box.open(before, PLACE)).toThrow(/was encrypted under the key [0-9a-f]{8}, which is not set$/);
});

test('derived keys differ by purpose and by key', () => {
  expect(box.derive('drafts of user 1')).toMatch(/^[\w-]{43}$/);
  expect(box.derive('drafts of user 1')).toBe(secretBox([present, old]).derive('drafts of user 1'));
  expect(box.derive('drafts of user 1')).not.toBe(box.derive('drafts of user 2'));
  expect(box.derive('drafts of user 1')).not.toBe(secretBox([old]).derive('drafts of user 1'));
});
