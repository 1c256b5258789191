import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import { mdm, oru } from '#server/testing/documents.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { saysDischarge } from './describe.ts';
import { readDocumentMessage } from './read-hl7.ts';

const PARTS = { facility: 'MERCY', record: 'R', person: newPerson(), content: 'Went home.' };

/** Returns the document in a message, with what is stored of whether it is a discharge summary. */
function documentIn(text: string) {
  const message = parseMessage(text);
  if (!message) throw new Error('not a message');
  const reading = readDocumentMessage(message, DEFAULT_FEED_SETTINGS);
  const [document] = reading.kind === 'documents' ? reading.documents : [];
  if (!document) throw new Error(JSON.stringify(reading));
  const { title, type, typeCode } = document;
  return { title, type, isDischarge: saysDischarge(typeCode, type ?? title) };
}
const observed = (text: string, code: string): string => text.replace('|REPORT^Report|', `|${code}|`);

test.each([
  ['DS', 'Discharge summary', true],
  ['DS^Summary of stay', 'Discharge summary', true],
  ['ds', 'Discharge summary', true],
  ['18842-5', 'Discharge summary', true],
  ['HP', 'History and physical examination', false],
  ['OP', 'Operative report', false],
  ['CN', 'Consultation', false],
  ['PN', 'Procedure note', false],
  ['PR', 'Progress note', false],
  ['ED', 'Emergency department report', false],
  ['ED^Triage note', 'Triage note', false],
  ['LOCAL', 'LOCAL', false],
])('TXA-2 %s is %s', (type, name, isDischarge) => {
  expect(documentIn(mdm('T02', { ...PARTS, type }))).toMatchObject({ type: name, isDischarge });
});

test('a document is titled in the words of table 0270, not by its code', () => {
  expect(documentIn(mdm('T02', { ...PARTS, type: 'DS' })).title).toBe('Discharge summary');
});

test.each([
  ['LOCAL', 'CARD1^Cardiology consult', 'Cardiology consult'],
  ['', 'CARD1^Cardiology consult', 'Cardiology consult'],
  ['LOCAL^Heart clinic', 'CARD1^Cardiology consult', 'Heart clinic'],
  ['CN', 'CARD1^Cardiology consult', 'Consultation'],
  ['LOCAL', 'REPORT^Report', 'LOCAL'],
  ['LOCAL', 'CARD1', 'LOCAL'],
])('a document with TXA-2 "%s" and OBX-3 %s is titled %s', (type, code, title) => {
  expect(documentIn(observed(mdm('T02', { ...PARTS, type }), code)).title).toBe(title);
});

test.each(['18842-5', '18842-5^Summary^LN', 'DOC^Discharge Summary'])('OBX-3 %s is a discharge summary', (code) => {
  const expected = { type: 'Discharge summary', isDischarge: true };
  expect(documentIn(observed(mdm('T02', { ...PARTS, type: 'PN' }), code))).toMatchObject(expected);
  expect(documentIn(observed(oru(PARTS), code))).toMatchObject(expected);
});

test.each([
  ['!!! not base64 !!!', 'OBX-5 of OBX 1 is not Base64 (component 5).'],
  [Buffer.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0]).toString('base64'), 'OBX-5 of OBX 1 is a program, not a document.'],
  [
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]).toString('base64'),
    'OBX-5 of OBX 1 is a program, not a document.',
  ],
])('a file that is none is quarantined with its place: %s', (data, reason) => {
  const text = mdm('T02', PARTS).replace(Buffer.from(PARTS.content).toString('base64'), data);
  const message = parseMessage(text);
  expect(message && readDocumentMessage(message, DEFAULT_FEED_SETTINGS)).toEqual({
    kind: 'quarantine',
    reason: expect.stringContaining(reason),
  });
});

test.each([
  ['line ends within', (data: string) => data.replace(/^(....)/, '$1\\.br\\')],
  ['no padding', (data: string) => data.replace(/=+$/, '')],
])('Base64 with %s is read', (_, write) => {
  const data = Buffer.from(PARTS.content).toString('base64');
  expect(documentIn(mdm('T02', PARTS).replace(data, write(data))).title).toBeTruthy();
});

test('a text that begins like a program is text', () => {
  expect(documentIn(mdm('T02', { ...PARTS, content: 'MZ went home.' })).title).toBeTruthy();
});

test('a report (OBR-4) that is a discharge summary makes its files discharge summaries', () => {
  const text = oru(PARTS).replace('11502-2^Laboratory report', '18842-5^Summary');
  expect(documentIn(text)).toMatchObject({ title: 'Report', type: 'Discharge summary', isDischarge: true });
  expect(documentIn(oru(PARTS))).toMatchObject({ type: 'Report', isDischarge: false });
});
