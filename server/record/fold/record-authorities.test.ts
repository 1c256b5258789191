import { describe, expect, it } from 'vitest';
import { type FactDetails, fact } from '#server/testing/facts.ts';
import { separateAuthorities } from './record-authorities.ts';

const name = (family: string, given: string) => ({ family, given, middle: null, suffix: null });
const ama = { name: name('Osei', 'Ama'), birthDate: '1941-03-14' };
const kofi = { name: name('Mensah', 'Kofi'), birthDate: '1950-01-02' };
let hour = 8;
const of = (authority: string | null, patient: FactDetails['patient'], more: FactDetails = {}) =>
  fact('A01', `${String(hour++ % 24).padStart(2, '0')}:00`, {
    visit: `V${hour}00`,
    ...more,
    patient: { ...patient, ...(authority && { recordAuthority: authority }) },
  });
const names = (...facts: Parameters<typeof separateAuthorities>[0]) =>
  separateAuthorities(facts).facts.map(({ adt }) => adt.patient.recordNumber);

describe('a record number used by two authorities', () => {
  it('is split into two patients, and the first keeps it unchanged', () => {
    expect(names(of('STB', ama), of('LAB', kofi), of('stb', ama))).toEqual(['M100', 'M100 (LAB)', 'M100']);
  });

  it('is split even if nothing is known about one of the patients', () => {
    expect(names(of('STB', ama), of('LAB', {}))).toEqual(['M100', 'M100 (LAB)']);
  });

  it('stays one patient if the sender spells one authority in two ways', () => {
    expect(names(of('STB', ama), of('1.2.840.1', { ...ama, name: name('Osei-Reyes', 'Ama') }))).toEqual([
      'M100',
      'M100',
    ]);
    expect(names(of('STB', { name: ama.name }), of('1.2.840.1', ama))).toEqual(['M100', 'M100']);
    expect(names(of('STB', ama, { visit: 'V100' }), of('1.2.840.1', {}, { visit: 'V100' }))).toEqual(['M100', 'M100']);
  });

  it('stays one patient if a merge says so', () => {
    const merge = { priorRecordNumber: 'M100', priorRecordAuthority: 'LAB' };
    const merged = fact('A40', '23:00', { noVisit: true, merge, patient: { recordAuthority: 'STB' } });
    expect(names(of('STB', ama), of('LAB', kofi), merged)).toEqual(['M100', 'M100', 'M100']);
  });

  it('without an authority means the patient with the visit, else the first patient', () => {
    const [first, second] = [of('STB', ama), of('LAB', kofi, { visit: 'V777' })];
    expect(names(first, second, of(null, {}, { visit: 'V777' }), of(null, {}))).toEqual([
      'M100',
      'M100 (LAB)',
      'M100 (LAB)',
      'M100',
    ]);
  });

  it('keeps its split name while it is split, and is unified once the patients turn out to be one', () => {
    const [first, second] = [of('STB', ama), of('LAB', kofi)];
    expect(separateAuthorities([first, second]).nameOf('M100 (LAB)')).toBe('M100 (LAB)');
    expect(separateAuthorities([first, second, of('LAB', ama, { sent: '2 08:00' })]).nameOf('M100 (LAB)')).toBe('M100');
  });

  it('is merged under the authority that the merge names', () => {
    const merge = { priorRecordNumber: 'M100', priorRecordAuthority: 'LAB' };
    const merged = fact('A40', '23:00', { noVisit: true, record: 'M200', merge });
    const { facts } = separateAuthorities([of('STB', ama), of('LAB', kofi), merged]);
    expect(facts[2]?.adt.merge?.priorRecordNumber).toBe('M100 (LAB)');
  });
});
