import { expect, test } from 'vitest';
import type { AdminGroup, AdminRole, AdminTeam } from '../admin-types.ts';
import { directoryOf } from '../use-directory.ts';
import { detailOf } from './change-detail.ts';

const directory = directoryOf(
  [{ id: '1', name: 'Team East' } as AdminTeam],
  [{ id: '2', name: 'Oak Hollow' } as AdminGroup],
  [{ id: '3', name: 'viewer', permissions: ['canViewPings'] } as AdminRole],
);
const grant = { teamId: '1', groupId: '2', roleId: '3', added: [], removed: [] };

test('a change of access is told as what it gave and took, and where', () => {
  const after = [{ ...grant, added: ['canManagePings'] }];
  expect(detailOf({ action: 'user.invite', detail: { grants: [grant] } }, directory)).toEqual([
    'Adds at Team East · Oak Hollow: see the ping inbox',
  ]);
  expect(detailOf({ action: 'user.change', detail: { fields: ['title'], before: [grant], after } }, directory)).toEqual(
    ['Changed: title', expect.stringMatching(/^Adds at Team East · Oak Hollow: /) as string],
  );
  expect(detailOf({ action: 'user.change', detail: { fields: [], before: after, after: [] } }, directory)[0]).toMatch(
    /^Takes away at Team East · Oak Hollow: see the ping inbox, /,
  );
});

test('groups are named, also one that is no longer there', () => {
  const detail = { fields: ['name'], added: ['2'], removed: ['77'] };
  expect(detailOf({ action: 'team.change', detail }, directory)).toEqual([
    'Changed: name',
    'Adds: Oak Hollow',
    'Takes away: No. 77',
  ]);
});

test('a sign-in that an organisation took over is told as what it did to the account', () => {
  const tell = (detail: Record<string, unknown>) => detailOf({ action: 'user.link', detail }, directory);
  expect(tell({ connectionId: '5', passwordRemoved: true, activated: false })).toEqual(['The password was removed']);
  expect(tell({ connectionId: '5', passwordRemoved: false, activated: true })).toEqual(['The account was activated']);
});

test('what the audit keeps nothing of, or keeps otherwise, says nothing', () => {
  expect(detailOf({ action: 'user.disable', detail: {} }, directory)).toEqual([]);
  expect(detailOf({ action: 'user.change', detail: { before: 'x' } }, directory)).toEqual([]);
});
