import { expect, test } from 'vitest';
import { fact } from '#server/testing/facts.ts';
import { timelineOf } from './timeline.ts';

const orderOf = (...controls: string[]) =>
  timelineOf(controls.map((control) => fact('A08', '10:00', { sent: '10:00:00', control }))).map(
    ({ fact: { adt } }) => adt.controlId,
  );

test('messages of one moment are ordered by the number at the end of their control ids, whatever its leading zeros', () => {
  expect(orderOf('MSG10', 'MSG9', 'MSG0011', 'MSG')).toEqual(['MSG', 'MSG9', 'MSG10', 'MSG0011']);
  expect(orderOf('B1', 'A2', '100', '20')).toEqual(['20', '100', 'A2', 'B1']);
});

test('a control id of zeros that ends in a letter is read in linear time', () => {
  const zeros = '0'.repeat(20_000);
  expect(orderOf(`${zeros}X`, `${zeros}1`)).toHaveLength(2);
});
