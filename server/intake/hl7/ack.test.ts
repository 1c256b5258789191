import { describe, expect, test } from 'vitest';
import { acknowledgementMode, buildAck } from './ack.ts';
import { type MessageHeader, readHeader } from './header.ts';

const now = new Date('2026-03-01T17:00:05.678Z');

function header(text: string): MessageHeader {
  const read = readHeader(Buffer.from(text));
  if (read === null) throw new Error('no header');
  return read;
}
const north = header('MSH|^~\\&|EHR^1.2^ISO|NORTH|TID|HUB|20260301||ADT^A01^ADT_A01|C-7|P^T|2.4\r');

describe('buildAck', () => {
  test('swaps sender and receiver and echoes the control ID, processing ID and version', () => {
    expect(buildAck(north, { code: 'AA', controlId: 'T1', now }).toString()).toBe(
      'MSH|^~\\&|TID|HUB|EHR^1.2^ISO|NORTH|20260301170005+0000||ACK^A01^ACK|T1|P^T|2.4\rMSA|AA|C-7|\r',
    );
  });

  test.each(['AE', 'AR', 'CE', 'CR'] as const)('%s has the escaped text in MSA-3 and ERR-8', (code) => {
    const [, msa, err] = buildAck(north, { code, text: 'no | here', controlId: 'T1', now }).toString().split('\r');
    expect(msa).toBe(`MSA|${code}|C-7|no \\F\\ here`);
    expect(err?.split('|')[3]).toMatch(code.endsWith('E') ? /^100\^/ : /^207\^/);
    expect([err?.split('|')[4], err?.split('|')[8]]).toEqual(['E', 'no \\F\\ here']);
  });

  test('has the delimiters of the sender', () => {
    const custom = header('MSH#!@%*#EHR!x#NORTH#TID#HUB#2026##ADT!A03#C-8#P#2.5');
    expect(buildAck(custom, { code: 'CA', controlId: 'T#2', now }).toString()).toBe(
      'MSH#!@%*#TID#HUB#EHR!x#NORTH#20260301170005+0000##ACK!A03!ACK#T%F%2#P#2.5\rMSA#CA#C-8#\r',
    );
  });

  test('has an empty MSA-2 without a header', () => {
    expect(buildAck(null, { code: 'AE', text: 'MSH cannot be read', controlId: 'T3', now }).toString()).toBe(
      'MSH|^~\\&|||||20260301170005+0000||ACK|T3|P|2.5.1\rMSA|AE||MSH cannot be read\r' +
        'ERR|||100^Segment sequence error^HL70357|E||||MSH cannot be read\r',
    );
  });

  test('declares UTF-8 if it holds other characters than ASCII', () => {
    const zurich = header('MSH|^~\\&|EHR|Zürich|TID|HUB|2026||ADT^A01|1|P|2.5');
    const ack = buildAck(zurich, { code: 'AA', controlId: 'T4', now });
    const read = readHeader(ack);
    expect([6, 9, 18].map((field) => read?.segment.field(field))).toEqual(['Zürich', 'ACK^A01^ACK', 'UNICODE UTF-8']);
  });
});

describe('acknowledgementMode', () => {
  const mode = (accept: string, application: string) =>
    acknowledgementMode(header(`MSH|^~\\&|A|B|C|D|2026||ADT^A01|1|P|2.5|||${accept}|${application}`));
  test('is original without a known condition', () => {
    expect(mode('', '')).toEqual({ mode: 'original' });
    expect(mode('??', '')).toEqual({ mode: 'original' });
  });
  test('is enhanced with one known condition', () => {
    expect(mode('AL', 'NE')).toEqual({ mode: 'enhanced', accept: 'AL', application: 'NE' });
    expect(mode('', 'ER')).toEqual({ mode: 'enhanced', accept: 'NE', application: 'ER' });
    expect(mode('su', '')).toEqual({ mode: 'enhanced', accept: 'SU', application: 'NE' });
  });
});
