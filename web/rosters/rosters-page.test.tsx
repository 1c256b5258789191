import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { RosterJob, RosterSample } from '#contract/rosters.ts';
import { openApp, serve, setWidth, uploader } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';

const GROUP = '1';
const JOB: RosterJob = {
  jobId: '7',
  groupId: GROUP,
  status: 'DONE',
  rosterUploader: 'rosa@lakeshore.example',
  uploaderName: 'Rosa Lindgren',
  decidedByName: null,
  lastUploadedDate: '2026-11-20T15:00:00Z',
  lastUploadedFile: 'november.csv',
  relationship: 'COVERAGE',
  waitsFor: null,
  fileError: null,
  ignoredColumns: [],
  totalRows: 1310,
  totalErrorRows: 0,
  unplacedRows: 0,
  statistics: { created: 3, updated: 2, removed: 1, unchanged: 1304 },
  errorsByColumn: {},
  warningsByColumn: {},
  clearedByColumn: {},
  hasDayFirst: false,
  encoding: 'UTF_8',
  garbledCells: 0,
  listedBefore: 1310,
  matchedRows: 0,
  decidedBy: null,
  decidedAt: null,
  waitsUntil: null,
  appliedAt: '2026-11-20T15:01:00Z',
  finishedAt: '2026-11-20T15:02:00Z',
  undoes: null,
  undoneBy: null,
  undoUntil: null,
};
const jobOf = (over: Partial<RosterJob>): RosterJob => ({ ...JOB, ...over });
const WAITING = jobOf({ status: 'AWAITING_CONFIRMATION', waitsFor: 'PREVIEW', appliedAt: null, finishedAt: null });

const INFO = {
  version: '1.0.0',
  productName: 'Tidings',
  companyName: 'Alder Bay',
  support: { email: null, phone: null, link: null },
  features: { supportWidget: null, demoAccounts: [] },
};

/** Sends nothing: what is uploaded is seen in the browser's journeys. */
class SilentRequest {
  upload = {};
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {}
}

liveStream();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
  vi.stubGlobal('XMLHttpRequest', SilentRequest);
});

const open = (
  job: RosterJob | null,
  {
    permissions = ['canUploadRoster', 'canViewPatients'],
    type = 'PROGRAM',
    answers = {},
  }: { permissions?: string[]; type?: string; answers?: Parameters<typeof serve>[0] } = {},
) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, uploader(permissions, { id: GROUP, type })],
    'GET /api/application-info': [200, { ...INFO, limits: { rosterRows: 2_000_000, rosterBytes: 1_000_000 } }],
    'GET /api/rosters/1/uploads/latest': [200, job],
    'GET /api/rosters/1/uploads': [200, { total: job ? 1 : 0, uploads: job ? [job] : [] }],
    'GET /api/rosters/1/headers': [200, []],
    ...answers,
  });
  const router = openApp('/dashboard/rosters');
  return { of: (route: string) => called.filter((one) => one.route === route), router };
};

const sampleOf = (...headers: [string, RosterSample['headers'][number]['column']][]): RosterSample => ({
  fileError: null,
  listed: {},
  headers: headers.map(([header, column]) => ({
    header,
    column,
    samples: ['x'],
    reading: column === null ? 'UNKNOWN' : 'NAME',
  })),
});

test('a large share that would leave is said loudly, and the file is applied only once its number is typed', async () => {
  const { of } = open(
    { ...WAITING, waitsFor: 'CONFIRMATION', statistics: { created: 0, updated: 0, removed: 1204, unchanged: 106 } },
    {
      answers: {
        'GET /api/rosters/uploads/7/changes': [200, { total: 0, changes: [] }],
        'POST /api/rosters/uploads/7/confirm': [200, jobOf({ status: 'APPLYING' })],
      },
    },
  );
  const user = userEvent.setup();
  expect(await screen.findByText('1,204 of 1,310 people would leave the roster (92%)')).toBeTruthy();
  expect(screen.getByText(/more than half of the roster/)).toBeTruthy();
  expect(screen.queryByText('Drop a roster file here')).toBeNull();
  await user.type(screen.getByLabelText('Type 1204 to confirm the removals'), '1,203');
  await user.click(screen.getByRole('button', { name: 'Apply file' }));
  expect(screen.getByText("The number doesn't match.")).toBeTruthy();
  expect(of('POST /api/rosters/uploads/7/confirm')).toHaveLength(0);
  await user.clear(screen.getByLabelText('Type 1204 to confirm the removals'));
  await user.type(screen.getByLabelText('Type 1204 to confirm the removals'), '1,204');
  await user.click(screen.getByRole('button', { name: 'Apply file' }));
  await waitFor(() => expect(of('POST /api/rosters/uploads/7/confirm')).toHaveLength(1));
});

test('what the file clears is said above the button that applies it', async () => {
  open(
    { ...WAITING, clearedByColumn: { 'Medicare ID': 1, 'SSN Last 4': 531 } },
    { answers: { 'GET /api/rosters/uploads/7/changes': [200, { total: 0, changes: [] }] } },
  );
  const note = await screen.findByRole('note');
  expect(note.textContent).toContain('Not in your file, will be cleared');
  expect(note.textContent).toContain('SSN Last 4 (531 people) and Medicare ID (1 person).');
});

test('a few removals are applied without typing', async () => {
  const { of } = open(WAITING, {
    answers: {
      'GET /api/rosters/uploads/7/changes': [200, { total: 0, changes: [] }],
      'POST /api/rosters/uploads/7/confirm': [200, jobOf({ status: 'APPLYING' })],
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Apply file' }));
  await waitFor(() => expect(of('POST /api/rosters/uploads/7/confirm')).toHaveLength(1));
});

test('without the permission to see patients, the preview has its counts and asks for no one', async () => {
  const { of } = open(WAITING, { permissions: ['canUploadRoster'] });
  expect(await screen.findByText(/You don't have access to the patients of this group/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Apply file' })).toBeTruthy();
  expect(of('GET /api/rosters/uploads/7/changes')).toHaveLength(0);
});

test('the progress of an upload is said in rows', async () => {
  open(jobOf({ status: 'APPLYING', matchedRows: 2, statistics: { created: 3, updated: 2, removed: 0, unchanged: 0 } }));
  expect(await screen.findByText(/^2 of 5 new and changed rows matched with people/)).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: /2 of 5/ }).getAttribute('aria-valuenow')).toBe('40');
});

test.each([
  ['RECEIVED', /^200,000 rows received, waiting to be checked/],
  ['VALIDATING', /^Checking 200,000 rows/],
] as const)(
  'an upload that is %s says how many rows have come, no numbers of changes, and can be canceled',
  async (status, words) => {
    const canceled = jobOf({ status: 'CANCELLED', appliedAt: null });
    const { of } = open(
      jobOf({
        status,
        totalRows: 200_000,
        appliedAt: null,
        finishedAt: null,
        statistics: { created: 0, updated: 0, removed: 0, unchanged: 0 },
      }),
      { answers: { 'POST /api/rosters/uploads/7/cancel': [200, canceled] } },
    );
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByText('To add')).toBeNull();
    expect(screen.queryByText('Rows with errors')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel upload' }));
    await waitFor(() => expect(of('POST /api/rosters/uploads/7/cancel')).toHaveLength(1));
  },
);

test('a canceled upload keeps the numbers of its preview, and says that nothing came of them', async () => {
  const statistics = { created: 12, updated: 0, removed: 3, unchanged: 40 };
  open(jobOf({ status: 'CANCELLED', appliedAt: null, statistics }));
  const tile = (await screen.findByText('Would have added')).parentElement as HTMLElement;
  expect(tile.textContent).toContain('12');
  expect((await screen.findByRole('row', { name: /november\.csv/ })).textContent).toContain('0 of 12');
});

test('rosters are not offered for a facility', async () => {
  open(null, { type: 'SNF' });
  expect(await screen.findByText('No rosters to upload.')).toBeTruthy();
  expect(screen.queryByTestId('drop-zone')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Rosters' })).toBeNull();
});

test('a file in a wrong encoding says how it was read, how many cells show it, and what to do', async () => {
  open(jobOf({ ...WAITING, encoding: 'WINDOWS_1252', garbledCells: 12 }));
  const note = (await screen.findByText('12 cells look garbled')).closest('[role="note"]') as HTMLElement;
  expect(note.textContent).toMatch(
    /read as Windows-1252\. Other names may be wrong.*CSV UTF-8.*upload that file instead\./,
  );
  expect(screen.getByText('Read as Windows-1252')).toBeTruthy();
});

test('problems name the value and how to fix it, and one column can be looked at alone', async () => {
  const problem = {
    rowNumber: 88,
    memberId: 'LK-1',
    column: 'Date of Birth',
    value: '13/40/1950',
    reason: 'Not a valid date. Use MM/DD/YYYY',
  };
  const { of } = open(jobOf({ totalErrorRows: 3, errorsByColumn: { 'Date of Birth': 2, 'First Name': 1 } }), {
    answers: { 'GET /api/rosters/uploads/7/problems': [200, { problems: [problem], next: 88 }] },
  });
  const table = await screen.findByRole('region', { name: 'Errors' });
  expect(within(table).getByText('13/40/1950')).toBeTruthy();
  expect(within(table).getByText('Not a valid date. Use MM/DD/YYYY')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Date of Birth: 2' }));
  await waitFor(() =>
    expect(of('GET /api/rosters/uploads/7/problems').at(-1)?.query.get('column')).toBe('Date of Birth'),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Show more rows' }));
  await waitFor(() => expect(of('GET /api/rosters/uploads/7/problems').at(-1)?.query.get('after')).toBe('88'));
});

test('a dropped file shows its columns; what is chosen is kept only where it differs, and missing columns are named', async () => {
  const sample = sampleOf(
    ['MRN', 'memberId'],
    ['Rufname', null],
    ['Last', 'lastName'],
    ['DOB', 'dateOfBirth'],
    ['Shoe', null],
  );
  const { of } = open(null, {
    answers: {
      'POST /api/rosters/1/sample': [200, { ...sample, listed: { ssnLast4: 531, gender: 12, tags: 0 } }],
      'PUT /api/rosters/1/headers': [200, []],
    },
  });
  const zone = await screen.findByTestId('drop-zone');
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: [new File(['MRN'], 'panel.csv')] } });
  expect(await screen.findByText('Choose which column is First Name.')).toBeTruthy();
  const send = screen.getByRole('button', { name: 'Upload and preview' }) as HTMLButtonElement;
  expect(send.disabled).toBe(true);
  const user = userEvent.setup();
  await user.selectOptions(screen.getByLabelText('Read Rufname as'), 'Last Name');
  expect(screen.getByText('Two columns are read as Last Name. Choose one of them.')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Read Rufname as'), 'First Name');
  expect(screen.getByText(/4 columns are read, 1 column is not/)).toBeTruthy();
  const cleared = () =>
    screen.queryByText(/Not in your file, so they will be cleared/)?.closest('[role=note]')?.textContent;
  expect(cleared()).toContain('Gender (12 people) and SSN Last 4 (531 people).');
  await user.selectOptions(screen.getByLabelText('Read Shoe as'), 'Gender');
  expect(cleared()).toContain('clearedSSN Last 4 (531 people).');
  await user.selectOptions(screen.getByLabelText('Read Shoe as'), '');
  await user.selectOptions(screen.getByLabelText(/^Relationship with the people in this file/), 'TREATMENT');
  await user.click(screen.getByLabelText(/^I confirm/));
  await user.click(send);
  await waitFor(() => expect(of('PUT /api/rosters/1/headers')).toHaveLength(1));
  expect(of('PUT /api/rosters/1/headers')[0]?.body).toEqual({
    headers: [{ header: 'Rufname', column: 'firstName' }],
  });
});

test('a file of another kind is refused with what to do', async () => {
  open(null, {
    answers: { 'POST /api/rosters/1/sample': [200, { headers: [], fileError: 'This is a PDF. Export it.' }] },
  });
  fireEvent.drop(await screen.findByTestId('drop-zone'), {
    dataTransfer: { types: ['Files'], files: [new File(['%PDF'], 'panel.pdf')] },
  });
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This is a PDF. Export it. The roster is unchanged.',
  );
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Upload and preview' }).disabled).toBe(true);
});

test('an upload can be undone until its time is over, and the question says what that does', async () => {
  const { of } = open(jobOf({ undoUntil: new Date(Date.now() + 3_600_000).toISOString() }), {
    answers: { 'POST /api/rosters/uploads/7/undo': [202, jobOf({ jobId: '8', status: 'APPLYING', undoes: '7' })] },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Undo upload' }));
  const dialog = await screen.findByRole('dialog');
  for (const effect of [
    '3 people it added leave',
    '1 person it removed returns',
    '2 people it changed get',
    'Pings stay',
  ])
    expect(dialog.textContent).toContain(effect);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo upload' }));
  await waitFor(() => expect(of('POST /api/rosters/uploads/7/undo')).toHaveLength(1));
});

test('Back closes the details of an upload, and the page stays', async () => {
  const { router } = open(JOB);
  await screen.findByText('Upload history');
  await act(() => router.navigate({ to: '/dashboard/rosters#main' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Details of november.csv/ }));
  await screen.findByRole('dialog', { name: 'november.csv' });
  router.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.location.href).toContain('#main');
});

test('no undo is offered once its time is over', async () => {
  open(jobOf({ undoUntil: '2026-01-01T00:00:00Z' }));
  await screen.findByText('Upload history');
  expect(screen.queryByRole('button', { name: 'Undo upload' })).toBeNull();
});
