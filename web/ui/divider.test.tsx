import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show } from '../testing/show.tsx';
import { Divider } from './divider.tsx';

const Halves = () => {
  const [share, setShare] = useState(44);
  return <Divider share={share} setShare={setShare} initial={44} label="Width of the list" />;
};

test('the divider moves by keys within its bounds, and a double-click resets it', async () => {
  show(<Halves />);
  const line = screen.getByRole('separator', { name: 'Width of the list' });
  const now = () => line.getAttribute('aria-valuenow');
  line.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(now()).toBe('46');
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(now()).toBe('36');
  await userEvent.keyboard('{End}{ArrowRight}');
  expect(now()).toBe('70');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(now()).toBe('30');
  fireEvent.doubleClick(line);
  expect(now()).toBe('44');
});
