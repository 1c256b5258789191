import { describe, expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password-hash.ts';

describe('a password', () => {
  test('is stored as an argon2id hash with its parameters, salted differently each time', async () => {
    const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
    expect(one).not.toBe(two);
    expect([await passwordMatches(one, 'correct horse'), await passwordMatches(one, 'Correct horse')]).toEqual([
      true,
      false,
    ]);
  });

  test('matches however its accents are composed', async () => {
    expect(await passwordMatches(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
  });

  test('never matches a user who has none', async () => {
    for (const typed of ['', 'null', 'a password for no account'])
      expect(await passwordMatches(null, typed)).toBe(false);
  });
});
