/** The published samples. They are not part of this repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { readFhir } from './read-fhir.ts';

const FOLDERS = ['../../../..', '../../../../..'].map((up) => join(import.meta.dirname, up, 'shared/samples/fhir'));
const folder = FOLDERS.find((each) => existsSync(each)) ?? '';
const files = folder === '' ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));
const SKIPPED = 'The samples (../shared/samples/fhir) are not on this machine';

const read = (name: string) =>
  readFhir(readFileSync(join(folder, name)), { settings: DEFAULT_FEED_SETTINGS, isListed: () => false });

/** What the samples with a MessageHeader say: the trigger, the class and the record number. */
const MESSAGES: Record<string, [trigger: string, setting: string | undefined, recordNumber: string]> = {
  'davinci-admit-01.json': ['A04', 'EMERGENCY', '06e1f0dd-5fbe-4480-9bb4-6b54ec02d31b'],
  'davinci-admit-intermediary-translate.json': ['A04', 'EMERGENCY', '06e1f0dd-5fbe-4480-9bb4-6b54ec02d31b'],
  'davinci-discharge-2020.json': ['A03', 'INPATIENT', '06e1f0dd-5fbe-4480-9bb4-6b54ec02d31b'],
  'davinci-transfer-01.json': ['A02', 'INPATIENT', '06e1f0dd-5fbe-4480-9bb4-6b54ec02d31b'],
  'msfhirconv-adt-a01-01.json': ['A01', 'UNKNOWN', '1234567'],
  'msfhirconv-adt-a03-01.json': ['A03', 'UNKNOWN', '1234567'],
  'msfhirconv-adt-a11-01.json': ['A11', 'UNKNOWN', '1234567'],
  'msfhirconv-adt-a40-02.json': ['A40', undefined, '12345'],
};

describe.skipIf(files.length === 0)(files.length === 0 ? SKIPPED : 'published samples', () => {
  test.each(files)('%s is read, or refused with what is missing', (name) => {
    const reading = read(name);
    const expected = MESSAGES[name];
    if (expected === undefined) {
      expect(reading).toMatchObject({ kind: 'quarantine', reason: expect.stringMatching(/Bundle/) });
      return;
    }
    const [trigger, setting, recordNumber] = expected;
    expect(reading).toMatchObject({
      kind: 'facts',
      facts: [{ trigger, patient: { recordNumber } }, ...(trigger === 'A40' ? [{}] : [])],
    });
    expect(reading.kind === 'facts' && reading.facts[0]?.visit?.setting).toBe(setting);
  });

  test('the discharge has its time, disposition, diagnosis, doctor and payer', () => {
    expect(read('davinci-discharge-2020.json')).toMatchObject({
      facts: [
        {
          visit: {
            dischargedAt: { instant: '2018-10-24T05:22:15Z' },
            disposition: '01',
            attending: { npi: null, localId: '330', family: 'Jakubowski832', given: 'Janeth814' },
            diagnoses: [{ code: '1234', description: 'Examplitis' }],
            payers: [{ company: 'Blue Cross Blue Shield', memberId: '12345' }],
          },
        },
      ],
      warnings: [],
    });
  });
});
