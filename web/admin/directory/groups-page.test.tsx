import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminGroup, PendingGrant } from '#contract/admin.ts';
import { directoryAnswers } from '../../testing/directory-answers.ts';
import { show } from '../../testing/show.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { PendingAccess } from '../access-requests/pending-access.tsx';
import { GroupsPage } from './groups-page.tsx';

const facility: AdminGroup = {
  id: '7',
  name: 'Heron House',
  type: 'SNF',
  facilityType: 'SNF',
  state: 'MI',
  askedBy: null,
  timeZone: 'America/Detroit',
  address: '4 Alder Lane',
  isAutomated: false,
  isPart2Facility: false,
  waitsForApproval: true,
  canApprove: false,
  canLiftPart2: false,
  organization: null,
  version: '3',
};
const page = (group: AdminGroup) => {
  const asked = stubApi({
    ...directoryAnswers({ groups: [group] }),
    'GET /api/admin/groups': (_: unknown, url: string) => {
      const groups = url.includes('canApprove') && !group.canApprove ? [] : [group];
      return { groups, total: groups.length, numPages: 1 };
    },
    'GET /api/admin/groups/ended': [],
    'GET /api/rosters/waiting': [],
    'POST /api/admin/groups/:id/approve': group,
    'PUT /api/admin/groups/:id': { ...group, waitsForApproval: true },
  });
  show(<GroupsPage />);
  return asked;
};
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('administrators see that a facility waits for approval, and cannot approve it', async () => {
  page(facility);
  expect(await screen.findByText('Manual entry, waiting for approval')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'All groups' })).toBeNull();
});

test('who turns a feed into manual entry learns that it waits for approval', async () => {
  page({ ...facility, isAutomated: true, waitsForApproval: false });
  await userEvent.click(await screen.findByRole('button', { name: 'Heron House' }));
  await userEvent.click(screen.getByLabelText('Visits come from a live feed'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/was saved\. Staff can enter patients manually once/)).toBeTruthy();
});

test('an operator approves the facility that was read', async () => {
  const asked = page({ ...facility, canApprove: true, organization: { id: '2', name: 'Heron Care' } });
  const list = await screen.findByRole('region', { name: 'Facilities to approve' });
  expect(list.textContent).toContain('Heron Care');
  expect(screen.getByRole('heading', { name: 'All groups' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Approve the facility Heron House' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve the facility Heron House?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Approve facility' }));
  expect(await screen.findByText(/The facility Heron House was approved/)).toBeTruthy();
  expect(asked.find(({ route }) => route.endsWith('/approve'))).toMatchObject({
    path: '/api/admin/groups/7/approve',
    body: { version: '3' },
  });
});

test('only an operator can remove the Part 2 mark, after a question that names the consequence', async () => {
  const part2 = { ...facility, isPart2Facility: true, waitsForApproval: false };
  page(part2);
  await userEvent.click(await screen.findByRole('button', { name: 'Heron House' }));
  const mark = () => screen.getByLabelText<HTMLInputElement>(/^Substance use/);
  expect(mark().disabled).toBe(true);
  expect(screen.getByText(/Only Tidings support can remove this mark/)).toBeTruthy();
  cleanup();
  const asked = page({ ...part2, canLiftPart2: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Heron House' }));
  await userEvent.click(mark());
  const dialog = await screen.findByRole('dialog', { name: 'Remove the 42 CFR Part 2 mark from Heron House?' });
  expect(dialog.textContent).toContain("without the patient's consent");
  expect(mark().checked).toBe(true);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove mark' }));
  await vi.waitFor(() => expect(mark().checked).toBe(false));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/was saved/)).toBeTruthy();
  expect(asked.find(({ route }) => route.startsWith('PUT'))?.body).toMatchObject({ isPart2Facility: false });
});

test('access that someone else has to confirm can only be declined', async () => {
  const row: PendingGrant = {
    id: '4',
    userId: '2',
    userName: 'Kofi Mensah',
    teamId: '1',
    teamName: 'Lakeshore',
    groupId: '7',
    groupName: 'Heron House',
    roleId: '5',
    roleName: 'viewer',
    added: [],
    removed: [],
    adds: ['canViewPatients'],
    isOwn: false,
    canConfirm: false,
    createdDate: '2026-11-21T11:00:00Z',
    organization: null,
    version: '1',
  };
  stubApi({ 'GET /api/admin/pending-grants': [row] });
  show(<PendingAccess decided={vi.fn()} />);
  expect(await screen.findByText(/They invited you or made you an administrator/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Decline Kofi Mensah for Heron House' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Confirm/ })).toBeNull();
});
