import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../testing/show.tsx';
import { CheckList } from './check-list.tsx';
import { ChoiceField } from './choice-field.tsx';

afterEach(cleanup);

const choices = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: `v${at}`, label: `Choice ${at}` }));

const Field = ({ count }: { count: number }) => {
  const [value, setValue] = useState('v3');
  return (
    <>
      <ChoiceField
        label="One"
        data={choices(count)}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <output>{value}</output>
    </>
  );
};
const chosen = () => document.querySelector('output')?.textContent;

test('few choices are a plain select', () => {
  show(<Field count={15} />);
  expect(screen.getByLabelText('One').tagName).toBe('SELECT');
});

test('many choices are searched, and no more than fifty are in the page', async () => {
  show(<Field count={400} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'One' });
  expect(field.value).toBe('Choice 3');
  expect(screen.queryByRole('option')).toBeNull();
  await userEvent.click(field);
  expect(screen.getAllByRole('option')).toHaveLength(50);
  expect(screen.getByText('50 of 400. Type part of a name to find others.')).toBeTruthy();
  await userEvent.type(field, 'choice 39');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Choice 39',
    ...Array.from({ length: 10 }, (_, at) => `Choice 39${at}`),
  ]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect([chosen(), field.value]).toEqual(['v390', 'Choice 390']);
  expect(screen.queryByRole('option')).toBeNull();
});

test('what is typed is no choice: Escape and leaving the field keep the one before', async () => {
  show(<Field count={400} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'One' });
  await userEvent.type(field, 'nothing like it');
  expect(screen.getByText('No matches. Try fewer letters.')).toBeTruthy();
  await userEvent.tab();
  expect([chosen(), field.value]).toEqual(['v3', 'Choice 3']);
  await userEvent.type(field, '7{Escape}');
  expect([chosen(), field.value]).toEqual(['v3', 'Choice 3']);
});

const List = () => {
  const [selected, setSelected] = useState(['v399']);
  return (
    <>
      <CheckList what="things" label="Things" options={choices(400)} selected={selected} change={setSelected} />
      <output>{selected.length}</output>
    </>
  );
};

test('many checkboxes are searched; what is selected comes first', async () => {
  show(<List />);
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes()).toHaveLength(50);
  expect(boxes()[0]?.checked).toBe(true);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search things' }), 'choice 12');
  expect(boxes()).toHaveLength(11);
  await userEvent.click(screen.getByRole('button', { name: 'Select all 11 found' }));
  expect(screen.getByText('12 selected')).toBeTruthy();
  await userEvent.click(boxes()[0] as HTMLInputElement);
  expect(chosen()).toBe('11');
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(chosen()).toBe('0');
});
