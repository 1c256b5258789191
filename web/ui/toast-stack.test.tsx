import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from './toast-stack.tsx';
import { showToast, type Toast } from './toasts.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <MantineProvider>
      <Toasts />
    </MantineProvider>,
  );
});
afterEach(() => {
  act(() => void vi.advanceTimersByTime(60_000));
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const show = (toast: Toast): void => act(() => void showToast(toast));
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

test('each type has its own style, and patient safety interrupts', () => {
  for (const type of ['success', 'info', 'patient-safety'] as const) show({ type, message: type });
  const toasts = ['success', 'info', 'patient-safety'].map((type) => screen.getByText(type).parentElement);
  expect(toasts.map((toast) => toast?.dataset.type)).toEqual(['success', 'info', 'patient-safety']);
  expect(toasts.map((toast) => toast?.getAttribute('role'))).toEqual(['status', 'status', 'alert']);
});

test('a toast disappears after ten seconds, and calls onTimeout only if it was not closed', () => {
  const onTimeout = vi.fn();
  show({ type: 'info', message: 'Saved', onTimeout });
  pass(9999);
  expect(screen.queryByText('Saved')).not.toBeNull();
  pass(1);
  expect(screen.queryByText('Saved')).toBeNull();
  expect(onTimeout).toHaveBeenCalledOnce();
  show({ type: 'info', message: 'Again', onTimeout });
  fireEvent.click(screen.getByLabelText('Close this message'));
  expect(screen.queryByText('Again')).toBeNull();
  pass(20_000);
  expect(onTimeout).toHaveBeenCalledOnce();
});

test('a fourth toast waits for a place, and is then shown as long as any other', () => {
  const onTimeout = vi.fn();
  for (const message of ['One', 'Two', 'Three', 'Four']) show({ type: 'info', message, onTimeout });
  const seen = () => ['One', 'Two', 'Three', 'Four'].filter((message) => screen.queryByText(message) !== null);
  expect(seen()).toEqual(['One', 'Two', 'Three']);
  fireEvent.click(screen.getAllByLabelText('Close this message')[1] as HTMLElement);
  expect(seen()).toEqual(['One', 'Three', 'Four']);
  pass(10_000);
  expect(seen()).toEqual([]);
  expect(onTimeout).toHaveBeenCalledTimes(3);
  for (const message of ['One', 'Two', 'Three', 'Four']) show({ type: 'info', message, onTimeout });
  pass(10_000);
  expect(seen()).toEqual(['Four']);
  pass(9999);
  expect(seen()).toEqual(['Four']);
  pass(1);
  expect(onTimeout).toHaveBeenCalledTimes(7);
});

test('a toast that stays does so until it is closed, and leaves a place for those that pass', () => {
  for (const message of ['One', 'Two', 'Three']) show({ type: 'warning', message, stays: true });
  show({ type: 'success', message: 'Saved' });
  const seen = () => ['One', 'Two', 'Three', 'Saved'].filter((message) => screen.queryByText(message) !== null);
  expect(seen()).toEqual(['One', 'Two', 'Saved']);
  pass(60_000);
  expect(seen()).toEqual(['One', 'Two']);
  for (const left of [['Two', 'Three'], ['Three'], []]) {
    fireEvent.click(screen.getAllByLabelText('Close this message')[0] as HTMLElement);
    expect(seen()).toEqual(left);
  }
});

test('an unknown type shows nothing and is reported as a component error', () => {
  const fetch = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', fetch);
  show({ type: 'celebration' as 'info', message: 'Hooray' });
  expect(screen.queryByText('Hooray')).toBeNull();
  const [, { body }] = fetch.mock.calls[0] as unknown as [string, { body: string }];
  expect(JSON.parse(body)).toMatchObject({ kind: 'component', message: 'Unknown toast type celebration' });
});
