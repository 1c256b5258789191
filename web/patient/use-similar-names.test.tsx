import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { type Session, SessionContext } from '../session/session.ts';
import { stubApi } from '../testing/stub-api.ts';
import { useSimilarNames } from './use-similar-names.ts';

const session = { can: () => true } as unknown as Session;
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <SessionContext value={session}>{children}</SessionContext>
  </QueryClientProvider>
);
const MINUTE = 60_000;
const patients = [{ id: '1_2' }, { id: '3_4' }];

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('marks stay while a later call fails, and come once the browser is back online', async () => {
  let isDown = false;
  let similar = ['1_2'];
  stubApi({
    'POST /api/patients/similar-names': () =>
      isDown ? { refuse: 503, errorKey: 'BUSY', message: 'Busy.' } : { patientIds: similar },
  });
  const { result, rerender } = renderHook(({ asOf }) => useSimilarNames(patients, asOf), {
    wrapper,
    initialProps: { asOf: 0 },
  });
  await waitFor(() => expect([...result.current]).toEqual(['1_2']));
  isDown = true;
  rerender({ asOf: MINUTE });
  await waitFor(() => expect(queryClient.getQueryState(['similar-names', ['1_2', '3_4'], 1])?.status).toBe('error'));
  expect([...result.current]).toEqual(['1_2']);
  isDown = false;
  similar = ['1_2', '3_4'];
  act(() => void window.dispatchEvent(new Event('offline')));
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect([...result.current]).toEqual(['1_2', '3_4']));
});
