import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { Toasts } from '../ui/toast-stack.tsx';
import { ReviewList } from './review-list.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a match that someone else has already decided leaves the list, and a message says so', async () => {
  const review = {
    id: '7',
    facilityName: 'Mercy General',
    createdDate: '2026-11-21T11:00:00Z',
    ruleId: 'Q01',
    candidates: [],
    hasOutsideCandidate: false,
    isOwnEntry: false,
  };
  let isDecided = false;
  stubApi({
    'GET /api/feeds/reviews': () => (isDecided ? { reviews: [], total: 0 } : { reviews: [review], total: 1 }),
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
  expect(await screen.findByText('This match was already decided, so your decision was not saved.')).toBeTruthy();
  expect(await screen.findByText('No matches to review.')).toBeTruthy();
});
