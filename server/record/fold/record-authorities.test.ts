import { describe, expect, it } from 'vitest';
import { fact, type Told } from '#server/testing/facts.ts';
import { byAuthority } from './record-authorities.ts';

const name = (family: string, given: string) => ({ family, given, middle: null, suffix: null });
const ama = { name: name('Osei', 'Ama'), birthDate: '1941-03-14' };
const kofi = { name: name('Mensah', 'Kofi'), birthDate: '1950-01-02' };
let hour = 8;
const of = (authority: string | null, patient: Told['patient'], more: Told = {}) =>
  fact('A01', `${String(hour++ % 24).padStart(2, '0')}:00`, {
    visit: `V${hour}00`,
    ...more,
    patient: { ...patient, ...(authority && { recordAuthority: authority }) },
  });
const names = (...facts: Parameters<typeof byAuthority>[0]) =>
  byAuthority(facts).facts.map(({ adt }) => adt.patient.recordNumber);

describe('a record number of two authorities', () => {
  it('is two patients, of whom the first keeps it as it is', () => {
    expect(names(of('STB', ama), of('LAB', kofi), of('stb', ama))).toEqual(['M100', 'M100 (LAB)', 'M100']);
  });

  it('is two patients also where nothing is known of one of them', () => {
    expect(names(of('STB', ama), of('LAB', {}))).toEqual(['M100', 'M100 (LAB)']);
  });

  it('is one where the sender writes the authority in two ways', () => {
    expect(names(of('STB', ama), of('1.2.840.1', { ...ama, name: name('Osei-Reyes', 'Ama') }))).toEqual([
      'M100',
      'M100',
    ]);
    expect(names(of('STB', { name: ama.name }), of('1.2.840.1', ama))).toEqual(['M100', 'M100']);
    expect(names(of('STB', ama, { visit: 'V100' }), of('1.2.840.1', {}, { visit: 'V100' }))).toEqual(['M100', 'M100']);
  });

  it('is one where a merge says so', () => {
    const merge = { priorRecordNumber: 'M100', priorRecordAuthority: 'LAB' };
    const told = fact('A40', '23:00', { noVisit: true, merge, patient: { recordAuthority: 'STB' } });
    expect(names(of('STB', ama), of('LAB', kofi), told)).toEqual(['M100', 'M100', 'M100']);
  });

  it('without its authority is of the patient who has the visit, else of the first', () => {
    const [first, second] = [of('STB', ama), of('LAB', kofi, { visit: 'V777' })];
    expect(names(first, second, of(null, {}, { visit: 'V777' }), of(null, {}))).toEqual([
      'M100',
      'M100 (LAB)',
      'M100 (LAB)',
      'M100',
    ]);
  });

  it('is named as it was before while it is two, and is one again once it is', () => {
    const [first, second] = [of('STB', ama), of('LAB', kofi)];
    expect(byAuthority([first, second]).nameOf('M100 (LAB)')).toBe('M100 (LAB)');
    expect(byAuthority([first, second, of('LAB', ama, { sent: '2 08:00' })]).nameOf('M100 (LAB)')).toBe('M100');
  });

  it('gives way by a merge under the authority that the merge names', () => {
    const merge = { priorRecordNumber: 'M100', priorRecordAuthority: 'LAB' };
    const told = fact('A40', '23:00', { noVisit: true, record: 'M200', merge });
    const { facts } = byAuthority([of('STB', ama), of('LAB', kofi), told]);
    expect(facts[2]?.adt.merge?.priorRecordNumber).toBe('M100 (LAB)');
  });
});
