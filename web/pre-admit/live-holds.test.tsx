import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { HeldAdmission, HeldPatient } from '#contract/pre-admit.ts';
import { openApp, serve, setWidth, uploader } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';

const { streams, tell } = liveStream();

const heldWith = (id: string, firstName: string): HeldPatient => ({
  id,
  groupId: '7',
  groupName: 'Oak Hollow',
  firstName,
  lastName: 'Abernathy',
  gender: 'Female',
  dob: '1950-01-02',
  zip: null,
  createdDate: '2026-11-20T12:00:00Z',
  hoursLeft: 60,
  owningOrgNames: [],
  ssn: null,
  deceased: false,
  isDeathInDoubt: false,
});

test('a list of held patients says when it was updated, and what colleagues and admissions change shows by itself', async () => {
  setWidth(1440);
  let held = [heldWith('1', 'Zoe')];
  let admissions: HeldAdmission[] = [];
  serve({
    'GET /api/me': [200, uploader(['canUsePreAdmit'], { id: '7', type: 'SNF' })],
    'GET /api/pre-admit/patients': () => [200, held],
    'GET /api/pre-admit/admissions': () => [200, admissions],
    'GET /api/pre-admit/patients/1/look-up': [
      200,
      {
        isMatched: false,
        deceased: false,
        deceasedDate: null,
        isDeathInDoubt: false,
        programs: [],
        instructions: [],
        careTeam: [],
        visits: [],
      },
    ],
  });
  openApp('/dashboard/pre-admit');
  expect(await screen.findByText(/^1 held · .+ · Updated \d\d:\d\d [AP]M/)).toBeTruthy();
  await waitFor(() => expect(streams).not.toHaveLength(0));
  held = [...held, heldWith('2', 'Yara')];
  tell('held', { at: '2026-11-20T12:01:00Z' });
  expect(await screen.findByText('ABERNATHY, Yara', {}, { timeout: 3000 })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Look up ABERNATHY, Zoe' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText(/held at Oak Hollow$/)).toBeTruthy();
  held = held.slice(1);
  const { hoursLeft: _, ...who } = heldWith('1', 'Zoe');
  admissions = [{ ...who, admittedDate: '2026-11-20T12:02:00Z', isCanceled: false, patientId: null }];
  tell('held', { at: '2026-11-20T12:02:00Z' });
  expect(
    await drawer.findByText(/admitted at Oak Hollow, hold ended 11\/20\/2026/, {}, { timeout: 3000 }),
  ).toBeTruthy();
});
