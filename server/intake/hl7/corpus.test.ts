/**
 * Messages that other projects made to show a quirk. They are not part of this repository. Without their folder these tests are skipped,
 * and their title says so.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { type AdtReading, readAdt } from './adt.ts';
import type { AdtFacts } from './adt-facts.ts';
import { splitMessages } from './batch.ts';
import { decodeText } from './charset.ts';
import { patientKey, readHeader } from './header.ts';
import { parseMessage } from './message.ts';

const FOLDER = new URL('../../../../shared/samples/hl7v2/', import.meta.url);
const isThere = existsSync(FOLDER);
const files = isThere ? readdirSync(FOLDER).filter((file) => file.endsWith('.hl7')) : [];

/** Most samples are marked as test messages. */
const settings = { ...DEFAULT_FEED_SETTINGS, testProcessingIds: [] };

function read(file: string): AdtReading[] {
  return splitMessages(readFileSync(new URL(`${file}.hl7`, FOLDER))).map((bytes) => {
    const message = parseMessage(decodeText(bytes));
    if (message === null) throw new Error(`${file} holds a message that can't be parsed`);
    return readAdt(message, settings);
  });
}

function facts(file: string, place = 0): AdtFacts {
  const reading = read(file).find((candidate) => candidate.kind === 'facts');
  const found = reading?.kind === 'facts' ? reading.facts[place] : undefined;
  if (found === undefined) throw new Error(`${file} has no facts`);
  return found;
}

describe.skipIf(!isThere)(`the sample messages${isThere ? '' : ' (skipped: ../shared/samples does not exist)'}`, () => {
  test('exist', () => {
    expect(files.length).toBeGreaterThan(100);
  });

  test.each(files)('%s has an outcome for each message', (file) => {
    const bytes = readFileSync(new URL(file, FOLDER));
    const header = readHeader(bytes);
    if (header !== null) expect(patientKey(bytes, header)).toBeTypeOf('string');
    for (const reading of read(file.replace(/\.hl7$/, ''))) {
      if (reading.kind === 'facts') expect(reading.facts.length).toBeGreaterThan(0);
      else expect(reading.reason).toMatch(/(MSH|EVN|PID|MRG)[ -]/);
      expect(JSON.stringify(reading)).not.toContain('\\u0000');
    }
  });

  test.each([
    ['simhospital-STREAM-1', 60],
    ['reportstream-BATCH-2', 20],
    ['cosyte-BATCH-1', 2],
    ['cosyte-BATCH-2', 3],
    ['cosyte-BATCH-3', 2],
    ['cosyte-A01-8', 2],
    ['pythonhl7-A04-1', 2],
    ['pythonhl7-A04-2', 3],
    ['rubyhl7-ORUR01-2', 2],
    ['rubyhl7-odd-1', 0],
    ['nhapi-FUZZ-5', 0],
  ])('%s holds %i messages', (file, count) => {
    expect(read(file)).toHaveLength(count);
  });

  test('a whole stream of a simulator is understood', () => {
    const readings = read('simhospital-STREAM-1');
    const admissions = readings.filter((reading) => reading.kind === 'facts');
    const others = readings.filter((reading) => reading.kind === 'not-acted-on');
    expect(admissions.length + others.length).toBe(60);
    for (const reading of admissions) {
      expect(reading.facts[0]?.visit?.visitNumber).toBeTruthy();
      expect(reading.facts[0]?.patient.identifiers.length).toBeGreaterThan(1);
    }
  });

  test.each([
    ['hapi-A01-5', 'PID-3 is empty, so the patient is unknown.'],
    ['ipf-A01-5', 'The PID segment is missing, so the patient is unknown.'],
    ['rethink-A01-5', 'The PID segment is missing, so the patient is unknown.'],
    ['linuxforhealth-A28-1', 'The PID segment is missing, so the patient is unknown.'],
    ['hapi-A45-1', "A PID segment has no MRG segment after it, so it's unknown what to merge."],
    ['nhapi-FUZZ-20', "MSH-9.2 isn't a trigger event such as A01."],
    ['nhapi-FUZZ-12', 'PID-3 is empty, so the patient is unknown.'],
  ])('%s is quarantined', (file, problem) => {
    const reason = `${problem} Ask the sender to correct and resend the message.`;
    expect(read(file)).toEqual([{ kind: 'quarantine', reason }]);
  });

  test.each([
    'balneario-A17-1',
    'balneario-A37-1',
    'balneario-A61-1',
    'msfhirconv-A60-2',
    'msfhirconv-SIUS12-1',
    'mirth-BATCH-2',
    'phdi-VXUV04-2',
  ])('%s is not acted on', (file) => {
    expect(read(file)[0]?.kind).toBe('not-acted-on');
  });

  test('a bad message in a batch does not stop the others', () => {
    expect(read('cosyte-BATCH-2').map((reading) => reading.kind)).toEqual(['facts', 'quarantine', 'facts']);
    expect(read('cosyte-A01-8').map((reading) => reading.kind)).toEqual(['quarantine', 'facts']);
  });

  test.each([
    ['cosyte-A01-4', 'MRN-CRLF-001'],
    ['cosyte-A01-5', 'MRN-CMD-001'],
    ['cosyte-A01-6', 'MRN-MIX-001'],
    ['cosyte-A01-9', 'MRN-VQ-001'],
    ['cosyte-A01-10', 'MRN-VQ-005'],
    ['cosyte-A04-1', 'MRN99999'],
    ['rethink-A01-2', '12345'],
    ['rubyhl7-A01-1', '191919'],
    ['hapi-A01-1', '2216506'],
    ['hapi-A04-1', '868063820614'],
    ['hapi-A14-1', '222'],
    ['hapi-A31-1', '29'],
    ['linuxforhealth-A01-1', 'PID1234'],
    ['nhapi-A08-1', '1000'],
    ['ipf-A01-2', '306563'],
    ['msfhirconv-A01-3', '10006579'],
    ['gcphdh-A01-1', '1419055458'],
    ['phdi-A31-1', '3054790'],
  ])('%s names the patient by %s', (file, recordNumber) => {
    expect(facts(file).patient.recordNumber).toBe(recordNumber);
  });

  test('character sets and escape sequences are decoded', () => {
    expect(facts('cosyte-A01-2').patient.name).toMatchObject({ family: 'Zörb', given: 'Renée' });
    expect(facts('ipf-A01-4').patient.name).toMatchObject({ family: 'Nächname', given: 'Vörname' });
    expect(facts('hapi-A01-4').patient.address?.line2).toBe('MARIO & LUIGI BROS PLACE');
  });

  test('identifiers of older HL7 versions have their authority', () => {
    expect(facts('hapi-A14-1').patient.identifiers[0]).toEqual({ value: '222', authority: 'HN637', type: null });
    expect(facts('hapi-A31-1').patient.identifiers).toEqual([{ value: '29', authority: 'CAISI_1-2', type: 'PI' }]);
    expect(facts('linuxforhealth-A08-1').patient.identifiers[0]).toMatchObject({ authority: 'MPI', type: 'MR' });
  });

  test('merges name both records', () => {
    const sides = (file: string, place = 0) => {
      const { patient, merge } = facts(file, place);
      return [patient.recordNumber, merge?.priorRecordNumber];
    };
    expect(sides('cosyte-A34-1')).toEqual(['MRN99003', 'MRN99004']);
    expect(sides('cosyte-A40-1')).toEqual(['MRN99001', 'MRN99002']);
    expect(sides('cosyte-A43-1')).toEqual(['MRN99007', 'MRN99008']);
    expect(sides('balneario-A18-1')).toEqual(['88990', '11223']);
    expect(sides('linuxforhealth-A40-1')).toEqual(['MR1', 'MR2']);
    expect(sides('ipf-A40-1')).toEqual(['120-01', '120-02']);
    expect(sides('msfhirconv-A40-2', 1)).toEqual(['145', '569']);
    expect(facts('msfhirconv-A45-2', 1).merge?.priorVisitNumber).toBe('5010');
    expect(facts('cosyte-A40-1')).toMatchObject({
      visit: { visitNumber: 'VIS7001', accountNumber: 'ACCT8801' },
      merge: { priorAccountNumber: 'ACCT8802' },
    });
  });

  test('invalid dates are ignored', () => {
    expect(facts('cosyte-A01-3').patient.birthDate).toBeUndefined();
    expect(facts('pythonhl7-A04-1').patient.birthDate).toBeUndefined();
    expect(facts('hapi-A31-1').recordedAt).toBeNull();
    expect(facts('phdi-A31-1').patient.birthDate).toBe('2018-08-08');
  });

  test('no Social Security number is kept whole', () => {
    expect(JSON.stringify(read('rubyhl7-A01-1'))).not.toMatch(/371-?66/);
    expect(JSON.stringify(read('gcphdh-A04-1'))).not.toMatch(/111-?11-?1111/);
    expect(JSON.stringify(read('roundingwell-A01-1'))).not.toContain('123121234');
    expect(JSON.stringify(read('msfhirconv-A13-2'))).not.toContain('123456789');
    expect(JSON.stringify(read('msfhirconv-A07-1'))).not.toContain('548851236');
  });

  test('a display name, a street in subcomponents, and a Social Security number beside an unreadable one are read', () => {
    expect(facts('msfhirconv-A13-2').patient).toMatchObject({
      name: { family: 'EVERYMAN', given: 'ADAM' },
      address: { line1: '1000 Hospital Lane', line2: 'Ste. 123' },
      ssnLast4: '6789',
    });
  });

  test('each result in a report keeps its status, whatever its text', () => {
    const message = parseMessage(decodeText(readFileSync(new URL('linuxforhealth-ORUR01-1.hl7', FOLDER))));
    expect(message?.segments('OBX').map((obx) => obx.field(11))).toEqual(['F', 'F', 'F']);
  });
});
