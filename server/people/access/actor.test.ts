import { expect, test } from 'vitest';
import { flagsOf } from './actor.ts';

test('a grant holds its role’s flags plus the added ones, and a removed flag wins over both', () => {
  const flags = flagsOf({
    role: ['canViewPings', 'canViewPatients'],
    added: ['canUploadRoster', 'canManageUsers'],
    removed: ['canViewPings', 'canManageUsers'],
  });
  expect([...flags]).toEqual(['canViewPatients', 'canUploadRoster']);
});

test('flags that the contract does not list are ignored', () => {
  expect([...flagsOf({ role: ['canFly'], added: ['toString'], removed: [] })]).toEqual([]);
});
