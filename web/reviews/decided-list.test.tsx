import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import {
  AGREEMENTS,
  type DecidedReview,
  REVIEW_FIELDS,
  type ReviewCandidate,
  type ReviewRecord,
} from '#contract/reviews.ts';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { Toasts } from '../ui/toast-stack.tsx';
import { MatchReviews } from './match-reviews.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const values = {
  ...(Object.fromEntries(REVIEW_FIELDS.map((field) => [field, null])) as ReviewRecord['values']),
  family: 'Lindqvist',
  given: 'Per',
  birthDate: '1956-11-02',
};
const record: ReviewRecord = {
  source: 'FACILITY',
  groupName: 'Mercy General',
  number: '4711',
  since: '2026-11-20T15:00:00Z',
  values,
};
const candidate: ReviewCandidate = {
  id: 'a'.repeat(32),
  record: { ...record, source: 'ROSTER', groupName: 'Heron ACO', number: 'LK-1' },
  otherRecords: 0,
  agreement: Object.fromEntries(REVIEW_FIELDS.map((field) => [field, AGREEMENTS[0]])) as ReviewCandidate['agreement'],
  reason: 'Same name.',
  warnings: [],
};
const decided = (id: string, over: Partial<DecidedReview> = {}): DecidedReview => ({
  id,
  decidedDate: '2026-11-21T11:00:00Z',
  decidedBy: 'Hedda Quill',
  record,
  candidate,
  isLinked: true,
  canUndo: true,
  ...over,
});

test('decisions say what was decided, by whom and when, and each that still holds can be undone', async () => {
  let reviews = [decided('7'), decided('8', { candidate: null, isLinked: false, canUndo: false })];
  const asked = stubApi({
    'GET /api/feeds/reviews/decided': () => ({ reviews, total: reviews.length }),
    'GET /api/feeds/reviews': { reviews: [], total: 0, oldestDate: null, revision: 'a' },
    'POST /api/feeds/reviews/:id/undo': () => {
      reviews = reviews.slice(1);
    },
    'POST /api/client-errors': undefined,
  });
  show(
    <>
      <MatchReviews />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByText('Decided'));
  const cards = await screen.findAllByRole('article', { name: 'LINDQVIST, Per · 11/02/1956' });
  const [first, second] = cards.map((card) => within(card));
  expect(first?.getByText(/^Hedda Quill · 11\/21\/2026/)).toBeTruthy();
  expect(first?.getByText('Same person')).toBeTruthy();
  expect(first?.getByText(/Heron ACO · member ID LK-1/)).toBeTruthy();
  expect(second?.getByText('Not the same person')).toBeTruthy();
  expect(second?.queryByRole('button')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Undo/ }));
  expect(await screen.findByText('Decision undone.')).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(asked.some(({ path }) => path === '/api/feeds/reviews/7/undo')).toBe(true);
});
