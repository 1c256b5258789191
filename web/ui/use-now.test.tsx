import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { eventTime, formatTime } from './format/date.ts';
import { useNow } from './use-now.ts';

afterEach(cleanup);

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const Times = ({ at }: { at: string }) => {
  const now = useNow();
  return (
    <>
      <p>{eventTime(at, ZONE, now)}</p>
      <p>{formatTime(at, ZONE)}</p>
    </>
  );
};

test('paper has dates and zones, and no time that passes; the screen has its own again afterwards', () => {
  render(<Times at={new Date().toISOString()} />);
  const shown = () => screen.getAllByRole('paragraph').map(({ textContent }) => textContent);
  expect(shown()).toEqual([
    expect.stringMatching(/^\d\d:\d\d [AP]M · just now$/),
    expect.stringMatching(/^\d\d:\d\d [AP]M$/),
  ]);
  // The sheets are laid out when the event's listeners have run.
  window.dispatchEvent(new Event('beforeprint'));
  expect(shown()).toEqual([
    expect.stringMatching(/^\d\d\/\d\d\/\d{4} · \d\d:\d\d [AP]M \S+$/),
    expect.stringMatching(/^\d\d:\d\d [AP]M \S+$/),
  ]);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(shown()[0]).toMatch(/just now$/);
});
