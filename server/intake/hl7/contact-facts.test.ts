import { describe, expect, test } from 'vitest';
import { factsOf } from '#server/testing/adt-reading.ts';
import { readAddress, readTelecoms } from './contact-facts.ts';
import { parseMessage } from './message.ts';

/** Reads PID-11 and PID-13 as sent. */
function contactOf(fields: Record<number, string>) {
  const pid = Array.from({ length: 14 }, (_, index) => fields[index + 1] ?? '').join('|');
  const segment = parseMessage(`MSH|^~\\&|A|B\rPID|${pid}`)?.segment('PID');
  if (segment === undefined) throw new Error('The message was not parsed');
  return { ...readTelecoms(segment), line1: readAddress(segment)?.line1 };
}

describe('phone and email', () => {
  test.each([
    ['2125550101^PRN^PH^ann@example.org', '2125550101', 'ann@example.org'],
    ['(212)555-0101^NET^Internet^ann@example.org', '(212)555-0101', 'ann@example.org'],
    ['ann@example.org^PRN^PH^^1^212^5550101', '2125550101', 'ann@example.org'],
    ['^PRN^Internet^ann@example.org^1^212^5550101', '2125550101', 'ann@example.org'],
    ['ann@example.org^NET^Internet^^^^^^^^^212-555-0101', '212-555-0101', 'ann@example.org'],
    ['212-555-0101 ann@example.org', '212-555-0101', 'ann@example.org'],
    ['email: ann@example.org / (212) 555-0101 x12', '(212) 555-0101 x12', 'ann@example.org'],
    ['<ann@example.org> +1 212 555 0101 cell', '+1 212 555 0101', 'ann@example.org'],
    ['ann1944@example.org^NET^Internet', undefined, 'ann1944@example.org'],
    ['ann44^NET^Internet^ann@example.org', undefined, 'ann@example.org'],
    ['1234567 Elm^NET^Internet^ann@example.org', undefined, 'ann@example.org'],
    ['89898989^WPN^Internet', undefined, undefined],
    ['555-0101', '555-0101', undefined],
    ['ann @ example', undefined, undefined],
    ['2125550101^PRN^FX^ann@example.org', undefined, 'ann@example.org'],
  ])('%s', (sent, phone, email) => {
    expect(contactOf({ 13: sent })).toMatchObject({ phones: phone === undefined ? undefined : [phone], email });
  });

  test('are read from every repetition of PID-13 and PID-14', () => {
    const sent = { 13: '^NET^Internet^ann@example.org~2125550101^PRN^PH', 14: '2125550102^WPN^PH^office@example.org' };
    expect(contactOf(sent)).toMatchObject({ phones: ['2125550101', '2125550102'], email: 'ann@example.org' });
  });
});

describe('the street', () => {
  test.each([
    ['1000&Hospital Lane', '1000 Hospital Lane'],
    ['1000\\T\\Hospital Lane', '1000&Hospital Lane'],
    ['12B&Alder Lane', '12B Alder Lane'],
    ['12 Alder Lane&Alder Lane&12', '12 Alder Lane'],
    ['Alder Lane&Alder Lane&12', '12 Alder Lane'],
    ['5th Ave&5th Ave&12', '12 5th Ave'],
    ['Alder Lane&&12', '12 Alder Lane'],
    ['&Alder Lane&12', '12 Alder Lane'],
    ['&Alder Lane', 'Alder Lane'],
    ['C&O Canal Road', 'C&O Canal Road'],
    ['Barr&Sons&Co', 'Barr&Sons&Co'],
    ['1 A & B St', '1 A & B St'],
    ['""&Alder Lane', 'Alder Lane'],
    ['12 Alder Lane', '12 Alder Lane'],
  ])('%s is %s', (sent, line1) => {
    expect(contactOf({ 11: `${sent}^Apt 2^Fairhaven^NY` }).line1).toBe(line1);
  });

  test.each([
    ['111^Elm St^^Fairhaven^NY^12345-0001', ['111 Elm St', null, 'Fairhaven', 'NY', '12345-0001']],
    ['111^Elm St^Apt 2^Fairhaven^NY^123450001^H', ['111 Elm St', 'Apt 2', 'Fairhaven', 'NY', '123450001']],
    ['111^Elm St^Fairhaven^NY^12345^US', ['111', 'Elm St', 'Fairhaven', 'NY', '12345']],
    ['111^Elm St^^Fairhaven^NY^US', ['111', 'Elm St', null, 'Fairhaven', 'NY']],
    ['111^^^Fairhaven^NY^12345', ['111', null, null, 'Fairhaven', 'NY']],
    ['Elm St^Apt 2^^Fairhaven^NY^12345', ['Elm St', 'Apt 2', null, 'Fairhaven', 'NY']],
  ])('with the house number as a component of its own moves the rest back: %s', (sent, parts) => {
    const { address } = factsOf('A08', { 11: [sent.split('^')] }).patient;
    expect(Object.values(address ?? {})).toEqual(parts);
  });

  test('without any part is none', () => {
    expect(factsOf('A08', { 11: [['""', '', 'Fairhaven']] }).patient.address).toMatchObject({
      line1: null,
      city: 'Fairhaven',
    });
  });
});
