import { expect, test } from 'vitest';
import type { CodedEntry } from '#contract/clinical-documents.ts';
import type { CcdEntry } from '#contract/documents.ts';
import { readDocument } from '#server/intake/ccda/read-document.ts';
import { htmlOf } from './html.ts';

const ENTRY: CcdEntry = {
  encounterId: null,
  encounterFacilityName: 'Mercy General',
  encounterFacilityType: 'HOS',
  encounterStartDate: null,
  encounterEndDate: null,
  uuid: '0b9f6c1e-6c8e-4b0e-9f0c-1d2e3f4a5b6c',
  kind: 'CCDA',
  title: 'Summary',
  type: null,
  author: null,
  writtenAt: null,
  receivedAt: '2026-11-20T18:10:00Z',
  size: 1,
  isDischargeSummary: false,
  isAddendum: false,
  isRestricted: false,
  problem: null,
  uploadedBy: null,
};
const PATIENT = { firstName: 'Petra', lastName: 'Novak', dateOfBirth: '1950-01-02' };

test('a section without a text says all of what was coded: that a result is critical, how an allergy showed, why there is no value', () => {
  const { document } = readDocument(
    Buffer.from('<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Summary</title></ClinicalDocument>'),
  );
  const coded = (over: Partial<CodedEntry>): CodedEntry => ({
    kind: 'result',
    name: 'Potassium',
    code: null,
    isNegated: false,
    missing: null,
    status: 'Completed',
    when: null,
    value: null,
    interpretation: null,
    referenceRange: null,
    details: [],
    panel: null,
    ...over,
  });
  const entries = [
    coded({ value: '6.9 mmol/L', interpretation: 'Critically high', referenceRange: '3.5 – 5.1 mmol/L', panel: 'BMP' }),
    coded({ missing: 'Not available yet', status: 'Active' }),
    coded({ name: 'Penicillin', status: 'Active', details: [{ label: 'Reaction', text: 'Anaphylaxis' }] }),
    coded({ name: null, missing: 'Withheld by the sender', status: null }),
  ];
  const section = {
    number: 1,
    level: 0,
    code: null,
    title: 'Coded',
    missing: null,
    narrative: [],
    entryCount: 4,
    entries,
  };
  const html = htmlOf({ ...document, sections: [section] }, ENTRY, PATIENT);
  expect([...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)).toEqual([
    'BMP: Potassium, 6.9 mmol/L, Critically high, range 3.5 – 5.1 mmol/L, Completed',
    'Potassium, Not available yet, Active',
    'Penicillin, Active, Reaction: Anaphylaxis',
    'Withheld by the sender',
  ]);
});
