import { expect, test } from 'vitest';
import { flagsOf } from './actor.ts';

test('a grant is its role with flags added, and taking away is stronger', () => {
  const flags = flagsOf({
    role: ['canViewPings', 'canViewPatients'],
    added: ['canUploadRoster', 'canManageUsers'],
    removed: ['canViewPings', 'canManageUsers'],
  });
  expect([...flags]).toEqual(['canViewPatients', 'canUploadRoster']);
});

test('a flag that the contract does not know counts for nothing', () => {
  expect([...flagsOf({ role: ['canFly'], added: ['toString'], removed: [] })]).toEqual([]);
});
