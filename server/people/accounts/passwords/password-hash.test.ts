import { describe, expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password-hash.ts';

describe('a password', () => {
  test('is kept as an argon2id hash with its parameters, another one each time', async () => {
    const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
    expect(one).not.toBe(two);
    expect([await passwordMatches(one, 'correct horse'), await passwordMatches(one, 'Correct horse')]).toEqual([
      true,
      false,
    ]);
  });

  test('is the same however its accents are composed', async () => {
    expect(await passwordMatches(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
  });

  test('is never that of a user who has none, whatever is typed', async () => {
    for (const typed of ['', 'null', 'the password of nobody']) expect(await passwordMatches(null, typed)).toBe(false);
  });
});
