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
  test('answers the sender in its own terms', () => {
    expect(buildAck(north, { code: 'AA', controlId: 'T1', now }).toString()).toBe(
      'MSH|^~\\&|TID|HUB|EHR^1.2^ISO|NORTH|20260301170005+0000||ACK^A01^ACK|T1|P^T|2.4\rMSA|AA|C-7|\r',
    );
  });

  test.each(['AE', 'AR', 'CE', 'CR'] as const)('%s says what is wrong in MSA-3 and ERR-8, escaped', (code) => {
    const [, msa, err] = buildAck(north, { code, text: 'no | here', controlId: 'T1', now }).toString().split('\r');
    expect(msa).toBe(`MSA|${code}|C-7|no \\F\\ here`);
    expect(err?.split('|')[3]).toMatch(code.endsWith('E') ? /^100\^/ : /^207\^/);
    expect([err?.split('|')[4], err?.split('|')[8]]).toEqual(['E', 'no \\F\\ here']);
  });

  test('keeps the delimiters of the sender', () => {
    const custom = header('MSH#!@%*#EHR!x#NORTH#TID#HUB#2026##ADT!A03#C-8#P#2.5');
    expect(buildAck(custom, { code: 'CA', controlId: 'T#2', now }).toString()).toBe(
      'MSH#!@%*#TID#HUB#EHR!x#NORTH#20260301170005+0000##ACK!A03!ACK#T%F%2#P#2.5\rMSA#CA#C-8#\r',
    );
  });

  test('without a header there is nothing to refer to', () => {
    expect(buildAck(null, { code: 'AE', text: 'MSH cannot be read', controlId: 'T3', now }).toString()).toBe(
      'MSH|^~\\&|||||20260301170005+0000||ACK|T3|P|2.5.1\rMSA|AE||MSH cannot be read\r' +
        'ERR|||100^Segment sequence error^HL70357|E||||MSH cannot be read\r',
    );
  });

  test('says that it is UTF-8 where it must be', () => {
    const zurich = header('MSH|^~\\&|EHR|Zürich|TID|HUB|2026||ADT^A01|1|P|2.5');
    const ack = buildAck(zurich, { code: 'AA', controlId: 'T4', now });
    expect(readHeader(ack)).toMatchObject({
      receivingFacility: 'Zürich',
      charset: 'UNICODE UTF-8',
      messageCode: 'ACK',
    });
  });
});

describe('acknowledgementMode', () => {
  const mode = (accept: string, application: string) =>
    acknowledgementMode(header(`MSH|^~\\&|A|B|C|D|2026||ADT^A01|1|P|2.5|||${accept}|${application}`));
  test('is original where neither condition is given', () => {
    expect(mode('', '')).toEqual({ mode: 'original' });
    expect(mode('??', '')).toEqual({ mode: 'original' });
  });
  test('is enhanced where one is', () => {
    expect(mode('AL', 'NE')).toEqual({ mode: 'enhanced', accept: 'AL', application: 'NE' });
    expect(mode('', 'ER')).toEqual({ mode: 'enhanced', accept: 'NE', application: 'ER' });
    expect(mode('su', '')).toEqual({ mode: 'enhanced', accept: 'SU', application: 'NE' });
  });
});
