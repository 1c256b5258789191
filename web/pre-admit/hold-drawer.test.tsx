import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { NOT_LAST_FOUR } from '#contract/pre-admit-words.ts';
import { serve } from '../testing/app.tsx';
import { show } from '../testing/show.tsx';
import { HoldDrawer } from './hold-drawer.tsx';
import type { HoldingGroup } from './holding-groups.ts';

const user = userEvent.setup();
const held = { id: '1', firstName: 'Zoe', lastName: 'Abernathy' };

const open = async () => {
  const called = serve({ 'POST /api/pre-admit/patients': [200, held] });
  show(<HoldDrawer groups={[{ id: '7', name: 'Mercy General' } as HoldingGroup]} saved={() => {}} close={() => {}} />);
  await user.type(screen.getByLabelText('First name'), 'Zoe');
  await user.type(screen.getByLabelText('Last name'), 'Abernathy');
  await user.selectOptions(screen.getByLabelText('Gender'), 'Female');
  await user.type(screen.getByLabelText('Date of birth'), '01/02/1950');
  const ssn: HTMLInputElement = screen.getByLabelText('Last 4 digits of SSN');
  const sent = async () => {
    await user.click(screen.getByRole('button', { name: 'Hold patient' }));
    return called.map(({ body }) => (body as { ssn: string }).ssn);
  };
  return { ssn, sent };
};

test('of an SSN, pasted or typed, the last four digits stay', async () => {
  const { ssn, sent } = await open();
  for (const whole of ['123456789', '123 45 6789', ' 123-45-6789 ', 'XXX-XX-6789', '***-**-6789']) {
    await user.clear(ssn);
    await user.paste(whole);
    expect(ssn.value).toBe('6789');
  }
  await user.clear(ssn);
  await user.type(ssn, '123-45-6780');
  expect(await sent()).toEqual(['6780']);
});

test('fewer or more digits are refused with a sentence', async () => {
  const { ssn, sent } = await open();
  for (const part of ['123-', '12345', '12345678']) {
    await user.clear(ssn);
    await user.type(ssn, part);
    expect(await sent()).toEqual([]);
    expect(screen.getByText(NOT_LAST_FOUR)).toBeTruthy();
  }
});
