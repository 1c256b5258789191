import { describe, expect, test } from 'vitest';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isCommonPassword } from './common-passwords.ts';
import { refuseWeakPassword } from './password-rules.ts';

describe('a common password', () => {
  test.each([
    'password',
    'Password1',
    'P@ssw0rd',
    'passw0rd123',
    'PASSWORD2024!',
    'Summer2026',
    'welcome123',
    'qwertyuiop',
    '1q2w3e4r',
    'iloveyou',
    '12345678',
    '1234567890',
    '87654321',
    'abcdefgh',
    'aaaaaaaa',
    'abababab',
    'abcabcabc',
    'hospital1',
    'Nurse123',
    'jennifer1',
    'Trustno1',
    'academia',
    'ｐａｓｓｗｏｒｄ',
  ])('is %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    'correct horse battery',
    'tidings-demo',
    'violet otter at noon',
    'k7!mPq2-xz',
    'aaaaaaab-cdefgh',
    '0123-9876-44',
  ])('is not %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});

describe('a password that contains the username', () => {
  const errorKeyOf = (password: string, username: string) => {
    try {
      refuseWeakPassword(password, username);
    } catch (error) {
      if (error instanceof ApiError) return error.key;
      throw error;
    }
    return null;
  };

  test.each([
    ['my rosa.lind@elm.example!', 'rosa.lind@elm.example', 'PASSWORD_HOLDS_USERNAME'],
    ['Rosa.Lind and I', 'rosa.lind@elm.example', 'PASSWORD_HOLDS_USERNAME'],
    ['balance of payments', 'al@elm.example', null],
    ['violet otter at noon', 'rosa.lind@elm.example', null],
  ])('%s of %s: %s', (password, username, key) => {
    expect(errorKeyOf(password, username)).toBe(key);
  });
});
