import { expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL } from '#server/testing/facts.ts';

const payers = (company: string) => ({ payers: [{ code: null, company, plan: null, memberId: null }] });

/** Returns the payer changes of a stay that Medicare pays first: the time, and the new payer. */
function changes(updates: readonly (readonly [time: string, company: string])[]) {
  const facts = [
    fact('A01', '08:00', { class: 'INPATIENT', ...payers('Medicare') }),
    ...updates.map(([time, company]) => fact('A08', time, payers(company))),
  ];
  const visits = foldDossier(
    facts.map((one, n) => ({ ...one, id: String(n) })),
    HOSPITAL,
  );
  const events = visits.flatMap((visit) => visit.events).filter(({ code }) => code === 'PAYOR_CHANGE');
  return events.map(({ at, payer }) => `${at.instant.slice(11, 16)} ${payer}`);
}

it.each([
  ['once', [['10:00', 'Aetna']], ['10:00 Aetna']],
  [
    'to and fro within minutes, which is none',
    [
      ['10:00', 'Aetna'],
      ['10:05', 'Medicare'],
    ],
    [],
  ],
  [
    'to and fro again, which is the first change',
    [
      ['10:00', 'Aetna'],
      ['10:05', 'Medicare'],
      ['10:10', 'AETNA'],
    ],
    ['10:00 Aetna'],
  ],
  [
    'again and again',
    [
      ['10:00', 'Aetna'],
      ['10:05', 'Medicare'],
      ['10:10', 'Aetna'],
      ['10:15', 'Medicare'],
    ],
    [],
  ],
  [
    'to a third one within minutes, which someone has to see',
    [
      ['10:00', 'Aetna'],
      ['10:05', 'Humana'],
    ],
    ['10:00 Aetna', '10:05 Humana'],
  ],
  [
    'back after hours, which is work',
    [
      ['10:00', 'Aetna'],
      ['14:00', 'Medicare'],
    ],
    ['10:00 Aetna', '14:00 Medicare'],
  ],
] as const)('the payer changes %s', (_, updates, expected) => {
  expect(changes(updates)).toEqual(expected);
});
