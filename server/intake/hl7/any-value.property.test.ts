/** Whatever a field holds, reading its message returns an outcome, and quickly. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { readAdt } from './adt.ts';
import { parseMessage } from './message.ts';

/** The segments that are read, with their number of fields. */
const LENGTHS = { EVN: 7, PID: 30, PV1: 50, PV2: 10, DG1: 15, IN1: 49, MRG: 5 };
const NAMES = Object.keys(LENGTHS) as (keyof typeof LENGTHS)[];
const TRIGGERS = ['A01', 'A03', 'A04', 'A08', 'A31', 'A36', 'A40', 'A44', 'A45'];

/** What values are made of: delimiters, escapes, and the marks that numbers, names and addresses are recognized by. */
const part = fc.constantFrom(
  ' ',
  ...'^ ~ & \\ \\T\\ "" @ . - ( ) + < , x ext X * A L D SS SSA MR I10 NET Internet H 0 9 219099999 219-09-9999'.split(
    ' ',
  ),
  ...'é \u0301 \ud800 \u202e'.split(' '),
);
/** Short mixtures, and single parts repeated up to the longest component and the most repetitions that are read. */
const value = fc.oneof(
  fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.tuple(part, part, fc.integer({ min: 1, max: 250 })).map(([a, b, count]) => a.repeat(count).slice(0, 249) + b),
  fc
    .tuple(part, part, part)
    .map(([a, b, c]) => Array.from({ length: 100 }, () => `${a.repeat(240).slice(0, 240)}${b}${c}`).join('~')),
);
const segment = fc
  .constantFrom(...NAMES)
  .chain((name) =>
    fc
      .array(fc.tuple(fc.integer({ min: 1, max: LENGTHS[name] }), value), { maxLength: 4 })
      .map((fields) => lineOf(name, Object.fromEntries(fields))),
  );

function lineOf(name: keyof typeof LENGTHS, fields: Record<number, string>): string {
  const known: Record<number, string> =
    name === 'PID' ? { 3: 'M-1^^^NORTH^MR' } : name === 'MRG' ? { 1: 'M-2^^^NORTH^MR' } : {};
  const texts = Array.from({ length: LENGTHS[name] }, (_, index) => fields[index + 1] ?? known[index + 1] ?? '');
  return [name, ...texts].join('|');
}

test('any values in any fields are read or refused with a reason', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TRIGGERS), fc.array(segment, { maxLength: 8 }), (trigger, segments) => {
      const header = `MSH|^~\\&|EHR|NORTH|||20260301120000||ADT^${trigger}|C-1|P|2.5.1`;
      const message = parseMessage([header, ...segments].join('\r'));
      if (message === null) throw new Error('The message was not parsed');
      const settings = { ...DEFAULT_FEED_SETTINGS, observationCodes: { patientTypes: ['A'], hospitalServices: ['X'] } };
      const reading = readAdt(message, settings);
      if (reading.kind !== 'facts') expect(reading.reason).toMatch(/[A-Z][A-Z\d]{2}/);
      else {
        expect(reading.facts.length).toBeGreaterThan(0);
        for (const { patient } of reading.facts) {
          expect(patient.recordNumber).not.toBe('');
          expect([patient.recordNumber, ...patient.identifiers.map(({ value }) => value)]).not.toContain('219-09-9999');
        }
      }
    }),
    { numRuns: 500 },
  );
});
