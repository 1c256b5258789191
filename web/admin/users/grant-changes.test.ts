import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AdminRole, Grant } from '#contract/admin.ts';
import { PERMISSION_FLAGS, STANDARD_ROLES } from '#contract/permissions.ts';
import { accessChanges, permissionsOf, withPermissions } from './grant-changes.ts';

const roles: AdminRole[] = Object.entries(STANDARD_ROLES).map(([name, permissions], at) => ({
  id: String(at + 1),
  name,
  permissions: [...permissions],
  isStandard: true,
  userCount: 0,
  organization: null,
  version: '1',
}));
const roleId = (name: string): string => roles.find((role) => role.name === name)?.id ?? '';
const grant = (part: Partial<Grant> = {}): Grant => ({
  teamId: '1',
  groupId: '1',
  roleId: roleId('viewer'),
  added: [],
  removed: [],
  ...part,
});

test('a removed permission wins over the role and over an added one', () => {
  const allowed = permissionsOf(
    grant({ added: ['canViewCcds', 'canManagePings'], removed: ['canViewPings', 'canViewCcds'] }),
    roles,
  );
  expect(allowed).toContain('canManagePings');
  expect(allowed).not.toContain('canViewPings');
  expect(allowed).not.toContain('canViewCcds');
});

test('whatever is selected, the grant allows exactly that, stored as the difference from the role', () => {
  const flags = fc.subarray([...PERMISSION_FLAGS]);
  fc.assert(
    fc.property(flags, fc.constantFrom(...roles), (wanted, role) => {
      const made = withPermissions(grant({ roleId: role.id }), wanted, roles);
      expect(permissionsOf(made, roles).sort()).toEqual([...wanted].sort());
      expect(made.added.some((flag) => role.permissions.includes(flag))).toBe(false);
      expect(made.removed.every((flag) => role.permissions.includes(flag))).toBe(true);
    }),
  );
});

test('places with the same change are grouped', () => {
  const before = [grant(), grant({ groupId: '2' }), grant({ groupId: '3' })];
  const after = [
    grant({ added: ['canManagePings'] }),
    grant({ groupId: '2', added: ['canManagePings'] }),
    grant({ groupId: '3' }),
  ];
  expect(accessChanges(before, after, roles)).toEqual([
    {
      places: [
        { teamId: '1', groupId: '1' },
        { teamId: '1', groupId: '2' },
      ],
      adds: ['canManagePings'],
      removes: [],
    },
  ]);
});

test('removing access to a group removes everything it allowed', () => {
  const [change] = accessChanges([grant()], [], roles);
  expect(change?.removes.sort()).toEqual([...STANDARD_ROLES.viewer].sort());
  expect(change?.adds).toEqual([]);
});

test('another role with the same permissions changes nothing', () => {
  const own: AdminRole = {
    id: '9',
    name: 'night desk',
    permissions: [...STANDARD_ROLES.viewer],
    isStandard: false,
    userCount: 0,
    organization: null,
    version: '1',
  };
  expect(accessChanges([grant()], [grant({ roleId: '9' })], [...roles, own])).toEqual([]);
});
