import { describe, expect, it } from 'vitest';
import { type FactDetails, fact } from '#server/testing/facts.ts';
import { disbelieveFuture } from './future-times.ts';

const ZONE = 'America/New_York';
const fieldsOf = (trigger: string, time: string, told: FactDetails, received: string): string[] =>
  disbelieveFuture(fact(trigger, time, told).adt, `2026-03-01T${received}:00Z`, ZONE).disbelieved?.fields ?? [];

describe('a time in the future of a message', () => {
  it('is marked if it is later than the receipt or later than the message was written', () => {
    expect(fieldsOf('A01', '09:00', { occurred: '20:00', admitted: '09:00' }, '09:00')).toEqual(['occurred']);
    expect(fieldsOf('A01', '09:00', { occurred: '09:00', admitted: '20:00' }, '23:00')).toEqual(['admitted']);
    expect(fieldsOf('A03', '09:00', { discharged: '20:00' }, '23:00')).toEqual(['discharged']);
    expect(fieldsOf('A01', '20:00', { occurred: '09:00' }, '09:00')).toEqual(['recorded', 'sent']);
  });

  it('is tolerated for ten minutes, and a day or minute counts until its end', () => {
    expect(fieldsOf('A01', '09:10', { occurred: '09:20' }, '09:00')).toEqual(['occurred']);
    expect(fieldsOf('A01', '09:10', { occurred: '09:10' }, '09:00')).toEqual([]);
    expect(fieldsOf('A01', '1', { occurred: '20:00' }, '23:00')).toEqual([]);
  });

  it('is not marked in a plan', () => {
    expect(fieldsOf('A05', '09:00', { occurred: '5 09:00', admitted: '5 09:00' }, '09:00')).toEqual([]);
    expect(fieldsOf('A08', '09:00', { admitted: '5 09:00', classCode: 'p' }, '09:00')).toEqual([]);
    expect(fieldsOf('A08', '09:00', { admitted: '5 09:00', classCode: 'I' }, '09:00')).toEqual(['admitted']);
  });

  it('leaves the facts unchanged if there is none', () => {
    const { adt } = fact('A01', '09:00', { occurred: '08:00' });
    expect(disbelieveFuture(adt, '2026-03-01T09:00:30Z', ZONE)).toBe(adt);
  });

  it('is marked with the time of receipt, on the day at the facility', () => {
    const { adt } = fact('A01', '20:00');
    expect(disbelieveFuture(adt, '2026-03-01T03:00:30.250Z', ZONE).disbelieved?.receivedAt).toEqual({
      instant: '2026-03-01T03:00:30Z',
      localDate: '2026-02-28',
      precision: 'second',
    });
  });
});
