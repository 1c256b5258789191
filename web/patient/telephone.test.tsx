import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { OwnNumber, Telephone } from './telephone.tsx';

afterEach(cleanup);

test.each([
  ['9065550177', 'tel:9065550177', '906-555-0177'],
  ['(906) 555-0177', 'tel:9065550177', '(906) 555-0177'],
  ['(906) 555-0177 x12', 'tel:9065550177;ext=12', '(906) 555-0177 x12'],
  ['906-555-0177 ext. 4', 'tel:9065550177;ext=4', '906-555-0177 ext. 4'],
  ['+1 906 555 0177', 'tel:+19065550177', '+1 906 555 0177'],
  ['not a phone', null, 'not a phone'],
])('%s is called as %s', (number, href, shown) => {
  render(
    <MantineProvider env="test">
      <Telephone name="Ada" number={number} />
    </MantineProvider>,
  );
  expect(screen.queryByRole('link', { name: `Call Ada, ${shown}` })?.getAttribute('href') ?? null).toBe(href);
  expect(document.body.textContent).toContain(shown);
});

test('the number of a patient who has died is shown, and cannot be called', () => {
  render(
    <MantineProvider env="test">
      <OwnNumber patient={{ deceased: true }} name="Home" number="9065550177" />
    </MantineProvider>,
  );
  expect(screen.queryByRole('link')).toBeNull();
  expect(document.body.textContent).toContain('Home · 906-555-0177');
});
