import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';
import { recordsFor, withStatuses } from './changed-stay.ts';
import { pingsQuery } from './inbox-queries.ts';
import { UNRESOLVED_LIST } from './inbox-search.ts';
import { sendChange } from './send-change.ts';

test.each([
  ['is opened again', null, ['1_2']],
  ['is not opened again once the reader has pressed a key', 'keydown', []],
  ['is not opened again once the reader has gone back', 'popstate', []],
])('a row whose change was not saved %s', async (_, input, expected) => {
  const patient = patientWith();
  const ping = patient.currentPing;
  if (!ping) throw new Error('the patient has no ping');
  serve({ 'POST /api/patients/1_2/events/management-status': [503, { errorKey: 'BUSY' }] });
  const client = new QueryClient();
  const page = { patients: [patient], total: 1, numPages: 1, pageNumber: 1, pageSize: 20, facets: [] };
  client.setQueryData(pingsQuery(UNRESOLVED_LIST.parameters).queryKey, page as never);
  const opened: string[] = [];
  await sendChange(
    { patient, ping, single: true, choice: { status: 'DISMISSED' } },
    {
      client,
      list: UNRESOLVED_LIST,
      user: somebody().user,
      setUnsaved: () => {},
      onLeave: () => {
        if (input) queueMicrotask(() => window.dispatchEvent(new Event(input)));
      },
      comeBack: () => opened.push(patient.id),
      lastUndo: { current: null },
    },
  );
  expect(opened).toEqual(expected);
});

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
    comeBack: null,
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
