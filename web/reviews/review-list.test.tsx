import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { AGREEMENTS, REVIEW_FIELDS, type Review, type ReviewCandidate, type ReviewRecord } from '#contract/reviews.ts';
import { queryClient } from '../api/query-client.ts';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { forgetAll } from '../ui/forget.ts';
import { Toasts } from '../ui/toast-stack.tsx';
import { ReviewList } from './review-list.tsx';
import { reviewCountQuery } from './review-queries.ts';

afterEach(() => {
  cleanup();
  forgetAll();
  vi.unstubAllGlobals();
});

const nothing = Object.fromEntries(REVIEW_FIELDS.map((field) => [field, null])) as ReviewRecord['values'];
const unknown = Object.fromEntries(
  REVIEW_FIELDS.map((field) => [field, AGREEMENTS[3]]),
) as ReviewCandidate['agreement'];

const record = (values: Partial<ReviewRecord['values']> = {}, over: Partial<ReviewRecord> = {}): ReviewRecord => ({
  source: 'FACILITY',
  groupName: 'Mercy General',
  number: '4711',
  since: '2026-11-20T15:00:00Z',
  values: { ...nothing, family: 'Lindqvist', given: 'Per', birthDate: '1956-11-02', zip: '14850', ...values },
  ...over,
});
const candidate = (id: string, over: Partial<ReviewCandidate> = {}): ReviewCandidate => ({
  id: id.repeat(32),
  record: record({ zip: '98101' }, { source: 'ROSTER', groupName: 'Heron ACO', number: 'LK-1' }),
  otherRecords: 0,
  agreement: { ...unknown, family: 'same', given: 'same', birthDate: 'same', zip: 'different' },
  reason: 'Same name and birth date. The ZIP code differs.',
  warnings: [],
  ...over,
});
const match = (id: string, over: Partial<Review> = {}): Review => ({
  id,
  version: '0'.repeat(32),
  createdDate: '2026-11-21T11:00:00Z',
  record: record({}, { number: `MR-${id}` }),
  candidates: [candidate('a')],
  hasOutsideCandidate: false,
  isOwnEntry: false,
  isClear: false,
  ...over,
});

/** Shows these matches. The server decides each, except those that it refuses. */
function showMatches(reviews: Review[], refused: readonly string[] = []) {
  let open = reviews;
  const asked = stubApi({
    'GET /api/feeds/reviews': () => ({
      reviews: open,
      total: open.length,
      oldestDate: open[0]?.createdDate ?? null,
      revision: 'a',
    }),
    'POST /api/feeds/reviews/:id': () => {
      const id = asked.at(-1)?.path.split('/').at(-1) ?? '';
      if (refused.includes(id))
        return { refuse: 409, errorKey: 'NOT_CLEAR', message: 'This match is no longer clear.' };
      open = open.filter((review) => review.id !== id);
    },
    'POST /api/feeds/reviews/:id/undo': () => {
      open = reviews;
    },
    'POST /api/client-errors': undefined,
  });
  show(
    <>
      <ReviewList />
      <Toasts />
    </>,
  );
  return asked;
}

const decisions = (asked: ReturnType<typeof stubApi>) =>
  asked.filter(({ route }) => route === 'POST /api/feeds/reviews/:id').map(({ path, body }) => [path.at(-1), body]);
const card = (at = 0) => within(screen.getAllByRole('article')[at] as HTMLElement);

test('records are side by side; differences have a word, agreement is quiet, and nothing is left out', async () => {
  const elsewhere = candidate('b', {
    record: null,
    reason: 'Same name.',
    agreement: { ...unknown, family: 'same', zip: 'similar' },
  });
  showMatches([match('7', { candidates: [candidate('a', { otherRecords: 2 }), elsewhere] })]);
  expect(await screen.findByRole('heading', { name: 'LINDQVIST, Per · 11/02/1956' })).toBeTruthy();
  expect(screen.getByText(/^1 to review · oldest waiting/)).toBeTruthy();
  const row = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(row('ZIP code')).toEqual(['14850', '98101 Different', ' Similar']);
  expect(row('Last name')).toEqual(['Lindqvist', 'Lindqvist (same)', 'Same']);
  expect(row('First name')).toEqual(['Per', 'Per (same)', 'Not compared']);
  expect(screen.queryByRole('row', { name: /^Email/ })).toBeNull();
  expect(screen.getByText('Mercy General · record number MR-7 · since 11/20/2026')).toBeTruthy();
  expect(screen.getByText(/Heron ACO · member ID LK-1 .* 2 other records of this person$/)).toBeTruthy();
  expect(screen.getByText('Record at another organization. Only what agrees is shown.')).toBeTruthy();
});

test('a decision is saved at once, can be undone, and the focus moves to the next match', async () => {
  const asked = showMatches([match('7'), match('8')]);
  await screen.findAllByRole('article');
  await userEvent.click(card().getByRole('button', { name: /^Same person/ }));
  expect(await screen.findByText('Linked as the same person.')).toBeTruthy();
  expect(decisions(asked)).toEqual([['7', { candidateId: 'a'.repeat(32), version: '0'.repeat(32) }]]);
  await waitFor(() => expect(document.activeElement?.id).toBe('review-8'));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(await screen.findByText('Decision undone.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.id).toBe('review-7'));
});

test('Z undoes the last decision', async () => {
  const asked = showMatches([match('7'), match('8')]);
  await screen.findAllByRole('article');
  await userEvent.click(card().getByRole('button', { name: 'Not the same person' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  await userEvent.keyboard('z');
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  await userEvent.keyboard('z');
  expect(asked.filter(({ route }) => route === 'POST /api/feeds/reviews/:id/undo')).toHaveLength(1);
});

test('a match that has changed since it was opened shows its new state and asks again', async () => {
  let isChanged = false;
  stubApi({
    'GET /api/feeds/reviews': () => {
      const changed = match('7', { record: record({ birthDate: '1956-02-11' }), version: '1'.repeat(32) });
      return { reviews: [isChanged ? changed : match('7')], total: 1, oldestDate: null, revision: 'a' };
    },
    'POST /api/feeds/reviews/:id': () => {
      isChanged = true;
      return { refuse: 409, errorKey: 'REVIEW_CHANGED', message: 'The records have changed. Compare them again.' };
    },
    'POST /api/client-errors': undefined,
  });
  show(<ReviewList />);
  await userEvent.click(await screen.findByRole('button', { name: /^Same person/ }));
  expect(await screen.findByRole('heading', { name: /02\/11\/1956/ })).toBeTruthy();
  expect(card().getByText('The records have changed. Compare them again.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.id).toBe('review-7'));
});

test('a birth date that no record has is said to be not recorded', async () => {
  const without = candidate('a', { record: record({ birthDate: null }), agreement: { ...unknown } });
  showMatches([match('7', { record: record({ birthDate: null }), candidates: [without] })]);
  expect(await screen.findByRole('row', { name: 'Birth date Not recorded Not recorded' })).toBeTruthy();
});

test('a link that something speaks against is confirmed first; none of these is not', async () => {
  const warnings = ['Different first names: possibly a sibling or twin.'];
  const asked = showMatches([match('7', { candidates: [candidate('a', { warnings }), candidate('b')] })]);
  await screen.findAllByRole('article');
  await userEvent.click(card().getByRole('button', { name: /^Same person as possible match 1/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(warnings[0] ?? '')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(decisions(asked)).toEqual([]);
  await userEvent.click(card().getByRole('button', { name: 'None of these' }));
  expect(await screen.findByText('Marked as not the same person.')).toBeTruthy();
  expect(decisions(asked)).toEqual([['7', { candidateId: null, version: '0'.repeat(32) }]]);
});

test('clear matches are linked together after they were selected; one that is refused stays and says why', async () => {
  const asked = showMatches([match('6'), match('7', { isClear: true }), match('8', { isClear: true })], ['8']);
  await screen.findAllByRole('article');
  expect(screen.queryByRole('button', { name: 'Link selected' })).toBeNull();
  await userEvent.click(screen.getByLabelText('Select 2 clear matches on this page'));
  expect(screen.getByText('2 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Link selected' }));
  expect(await screen.findByText('1 match linked.')).toBeTruthy();
  const linked = { candidateId: 'a'.repeat(32), version: '0'.repeat(32), onlyIfClear: true };
  expect(decisions(asked)).toEqual([
    ['7', linked],
    ['8', linked],
  ]);
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(card(1).getByText('This match is no longer clear.')).toBeTruthy();
  const listed = within(screen.getByRole('alert'));
  expect(listed.getByRole('listitem').textContent).toBe('LINDQVIST, Per · 11/02/1956: This match is no longer clear.');
  await userEvent.click(listed.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('whoever uploaded the patient decides nothing, and a match outside is left to support', async () => {
  showMatches([match('7', { isOwnEntry: true }), match('8', { candidates: [], hasOutsideCandidate: true })]);
  await screen.findAllByRole('article');
  expect(card(0).queryByRole('button')).toBeNull();
  expect(card(0).getByText('You uploaded or entered this patient, so someone else has to decide.')).toBeTruthy();
  expect(card(1).queryByRole('button')).toBeNull();
  expect(card(1).getByText(/^A possible match exists outside your organization/)).toBeTruthy();
});

test('matches that come or go elsewhere change nothing on the page until asked for', async () => {
  showMatches([match('7')]);
  await screen.findAllByRole('article');
  await act(async () =>
    queryClient.setQueryData(reviewCountQuery.queryKey, { open: 1, revision: 'b' }, { updatedAt: Date.now() + 1000 }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'List updated — show' }));
  expect(screen.getAllByRole('article')).toHaveLength(1);
});

test('a match that someone else has already decided leaves the list, and a message says so', async () => {
  let isDecided = false;
  stubApi({
    'GET /api/feeds/reviews': () =>
      isDecided
        ? { reviews: [], total: 0, oldestDate: null, revision: 'b' }
        : { reviews: [match('7')], total: 1, oldestDate: null, revision: 'a' },
    'POST /api/feeds/reviews/:id': { refuse: 404, errorKey: 'NOT_FOUND', message: "This doesn't exist." },
    'POST /api/client-errors': undefined,
  });
  show(
    <>
      <ReviewList />
      <Toasts />
    </>,
  );
  await screen.findByText(/^1 to review/);
  isDecided = true;
  await userEvent.click(screen.getByRole('button', { name: 'Not the same person' }));
  expect(await screen.findByText('This match has left the list, so your decision was not saved.')).toBeTruthy();
  expect(await screen.findByText('No matches to review.')).toBeTruthy();
});
