import { expect, test } from 'vitest';
import type { AdminGroup, AdminRole, AdminTeam } from '#contract/admin.ts';
import { directoryOf } from '../directory/use-directory.ts';
import { detailOf } from './change-detail.ts';

const directory = directoryOf(
  [{ id: '1', name: 'Team East' } as AdminTeam],
  [{ id: '2', name: 'Oak Hollow' } as AdminGroup],
  [{ id: '3', name: 'viewer', permissions: ['canViewPings'] } as AdminRole],
);
const grant = { teamId: '1', groupId: '2', roleId: '3', added: [], removed: [] };

test('a change of access lists what was added and removed, and where', () => {
  const after = [{ ...grant, added: ['canManagePings'] }];
  expect(detailOf({ action: 'user.invite', detail: { grants: [grant] } }, directory)).toEqual([
    'Added at Team East · Oak Hollow: view the ping inbox',
  ]);
  expect(detailOf({ action: 'user.change', detail: { fields: ['title'], before: [grant], after } }, directory)).toEqual(
    ['Changed: title', expect.stringMatching(/^Added at Team East · Oak Hollow: /) as string],
  );
  expect(detailOf({ action: 'user.change', detail: { fields: [], before: after, after: [] } }, directory)[0]).toMatch(
    /^Removed at Team East · Oak Hollow: view the ping inbox, /,
  );
});

test('what a value was and became is shown in words; a secret and a long value only as changed', () => {
  const changes = {
    timeZone: ['America/New_York', 'America/Chicago'],
    isPart2Facility: [false, true],
    address: [null, '4 Alder Lane'],
    facilities: [[{ identifier: 'OAK', groupId: '2' }], []],
    certificates: [['x'.repeat(900)], ['y'.repeat(900)]],
  };
  const of = (detail: Record<string, unknown>) => detailOf({ action: 'sso-connection.change', detail }, directory);
  expect(of({ changes, secrets: ['clientSecret'] })).toEqual([
    'Time zone: New York → Chicago',
    '42 CFR Part 2: no → yes',
    'Address: none → 4 Alder Lane',
    'Facilities: OAK (Oak Hollow) → none',
    'Certificates: changed',
    'Client secret: changed',
  ]);
});

test('settings of the records are in words, each with before and after', () => {
  const rule = { visits: 2, days: 90, factor: 2.5, multiVisits: 6, multiMonths: 3 };
  const link = { url: 'https://pulse.example/open', fields: [{ name: 'key', value: 'secret' }], states: ['WI'] };
  const changes = {
    risingRisk: [rule, null],
    holidays: [
      { added: [], removed: [] },
      { added: ['2026-11-27'], removed: ['2026-10-12'] },
    ],
    pulse: [link, { ...link, fields: [{ name: 'key', value: 'other' }] }],
    embeddedSpotlights: [null, 'https://tableau.example/views'],
  };
  expect(detailOf({ action: 'organization.record-settings', detail: { changes } }, directory)).toEqual([
    'Rising-risk rule: at least 2 visits within 90 days, 2.5 times own average, multi-visit from 6 visits in 3 months → default',
    'Holidays: none → closed on 11/27/2026, open on 10/12/2026',
    'WISHIN Pulse: changed',
    'Embedded spotlights: none → https://tableau.example/views',
  ]);
});

test('settings of a feed are in words; of a long list what was added and removed', () => {
  const codes = Array.from({ length: 60 }, (_, n) => `K${n}`);
  const changes = {
    'settings.classMap': [null, [{ patientClass: 'I', hospitalService: 'OBS', setting: 'OBSERVATION' }]],
    'settings.locationMap': [null, { '4W': { unit: '4 West', setting: 'REHAB' } }],
    'settings.recordNumber': [
      { authority: null, types: ['MR'] },
      { authority: 'MGH', types: ['MR', 'PI'] },
    ],
    'settings.testProcessingIds': [codes, [...codes.slice(1), 'T']],
    'settings.later': [null, { isStrict: true, limit: [1, 2] }],
  };
  expect(detailOf({ action: 'feed.change', detail: { changes } }, directory)).toEqual([
    'Settings by patient class: default → I OBS: Observation',
    'Units: default → 4W: 4 West (Rehabilitation)',
    'Record number: any authority, type MR → authority MGH, type MR, type PI',
    'Test messages: added T; removed K0',
    'settings.later: default → is strict yes, limit 1, 2',
  ]);
});

test('a disabled account lists who was given what it had taken', () => {
  const stays = [
    { teamId: '1', encounterIds: ['4', '5'], toUserId: '9', to: 'Ama Osei' },
    { teamId: '8', encounterIds: ['6'], toUserId: null, to: null },
  ];
  expect(detailOf({ action: 'user.disable', detail: { stays } }, directory)).toEqual([
    'Stays taken on Team East: 2 given to Ama Osei',
    'Stays taken on ID 8: 1 left unassigned',
  ]);
});

test('groups are named; one that no longer exists is shown by its ID', () => {
  const detail = { fields: ['name'], added: ['2'], removed: ['77'] };
  expect(detailOf({ action: 'team.change', detail }, directory)).toEqual([
    'Changed: name',
    'Added: Oak Hollow',
    'Removed: ID 77',
  ]);
});

test('a sign-in taken over by single sign-on lists what happened to the account', () => {
  const linked = (detail: Record<string, unknown>) => detailOf({ action: 'user.link', detail }, directory);
  expect(linked({ connectionId: '5', passwordRemoved: true, activated: false })).toEqual(['Password removed']);
  expect(linked({ connectionId: '5', passwordRemoved: false, activated: true })).toEqual(['Account activated']);
});

test('details that are missing or malformed are left out', () => {
  expect(detailOf({ action: 'user.disable', detail: {} }, directory)).toEqual([]);
  expect(detailOf({ action: 'user.change', detail: { before: 'x' } }, directory)).toEqual([]);
});

test('guesses are listed with the upload and the number of rows', () => {
  const guesses = (detail: Record<string, unknown>) => detailOf({ action: 'roster.guess-pattern', detail }, directory);
  expect(guesses({ uploadId: '9', rows: 26 })).toEqual(['Upload: 9', 'Rows held: 26']);
  expect(guesses({ entries: 1 })).toEqual(['Manual entry refused: the same person with different details']);
  expect(detailOf({ action: 'roster.approve', detail: { uploadId: '9' } }, directory)).toEqual(['Upload: 9']);
});
