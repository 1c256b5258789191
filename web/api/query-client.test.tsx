import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from './error.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('what failed to load comes once the browser is back online, and what is shown stays as it is', async () => {
  let isDown = true;
  let loads = 0;
  const Panel = () => {
    const { data, error } = useQuery({
      queryKey: ['panel'],
      queryFn: () => {
        if (isDown) throw new ApiError(503, { errorKey: 'BUSY', message: 'Busy.' });
        return 'contact attempts';
      },
    });
    return <p>{data ?? (error ? 'failed' : 'loading')}</p>;
  };
  const List = () => <p>{useQuery({ queryKey: ['list'], queryFn: () => `list ${++loads}` }).data}</p>;
  render(
    <QueryClientProvider client={queryClient}>
      <Panel />
      <List />
    </QueryClientProvider>,
  );
  await screen.findByText('failed');
  await screen.findByText('list 1');
  isDown = false;
  act(() => void window.dispatchEvent(new Event('offline')));
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByText('contact attempts');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByText('list 1')).toBeTruthy();
});
