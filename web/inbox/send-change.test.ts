import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';
import { recordsFor, withStatuses } from './changed-stay.ts';
import { UNRESOLVED_LIST } from './inbox-search.ts';
import { sendChange } from './send-change.ts';

test('a change chosen on a page that is older than the last answer is about the record that the answer brought', async () => {
  const patient = patientWith();
  const ping = patient.currentPing;
  if (!ping) throw new Error('the patient has no ping');
  const path = 'POST /api/patients/1_2/events/management-status';
  const record = { resolutions: [], otherText: null, username: 'ana@lakeshore.example', date: '2026-11-21T15:41:00Z' };
  let next = 7;
  const called = serve({
    [path]: ({ body }: { body: unknown }) => {
      next += 1;
      return [200, { ...record, ...(body as object), id: String(next) }];
    },
  });
  const user = somebody().user;
  const sender = {
    client: new QueryClient(),
    list: UNRESOLVED_LIST,
    user,
    setUnsaved: () => {},
    onLeave: () => {},
    lastUndo: { current: null },
  };
  const choice = { status: 'IN_PROGRESS' } as const;
  await sendChange({ patient, ping, single: true, choice }, sender);
  const stale = withStatuses(patient, recordsFor([ping], choice, user));
  await sendChange({ patient: stale, ping, single: true, choice: { status: 'NEW' } }, sender);
  expect(called.map(({ body }) => (body as { expectedStatusId: string }).expectedStatusId)).toEqual([
    ping.currentManagementStatus.id,
    '8',
  ]);
});
