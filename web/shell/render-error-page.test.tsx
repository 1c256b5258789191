import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ChunkLoadError } from '../errors/load-chunk.ts';
import { RenderErrorPage } from './render-error-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (error: Error) =>
  render(
    <MantineProvider env="test">
      <RenderErrorPage error={error} />
    </MantineProvider>,
  );

test('a part that failed to load can be tried again, which reloads the page only once the server answers', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show(new ChunkLoadError('profile', 'missing', null));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Tidings can't be reached\./);
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', async () => new Response('{}'));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('an error of the page itself is not tried again', () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  show(new TypeError('x is undefined'));
  expect(screen.getByText('Please check back in a few minutes.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
