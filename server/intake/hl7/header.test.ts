import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from './charset.ts';
import { headerOf, type MessageHeader, patientKey, readHeader, readMessageHeader } from './header.ts';
import { parseMessage } from './message.ts';

const read = (text: string) => readHeader(Buffer.from(text));

describe('readHeader', () => {
  test('reads the fields of MSH', () => {
    const header = read(
      'MSH|^~\\&|EHR^1.2^ISO|NORTH^1.3^ISO|TID|HUB|20260301120000-0500||adt^a01^ADT_A01|C-7|P^T|2.5.1|||AL|NE||8859/1\rEVN|A01\r',
    );
    expect(header).toMatchObject({
      sendingApplication: 'EHR',
      sendingFacility: 'NORTH',
      messageCode: 'ADT',
      trigger: 'A01',
      controlId: 'C-7',
      processingId: 'P',
      acceptAcknowledgement: 'AL',
      applicationAcknowledgement: 'NE',
    });
  });

  test.each([
    ['MSH#!@%*#EHR#N###1##ADT!A01#7', { component: '!', repetition: '@', escape: '%', subcomponent: '*' }],
    ['MSH|^~\\&#|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
    ['MSH|^~|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
    ['MSH||EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
    ['MSH|^\\&|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
    ['MSH|^~\\\\&|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
    ['MSH|^&&^|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '&', escape: '\\', subcomponent: '' }],
    ['MSH|^0y&|EHR|N|||1||ADT^A01|7', { component: '^', repetition: '~', escape: '\\', subcomponent: '&' }],
  ])('reads or repairs the delimiters of %s', (text, delimiters) => {
    const header = read(text);
    expect(header?.delimiters).toMatchObject(delimiters);
    expect(header).toMatchObject({ sendingApplication: 'EHR', trigger: 'A01', controlId: '7' });
  });

  test('decodes the header itself by MSH-18', () => {
    const bytes = Buffer.from(
      'MSH|^~\\&|A|Kinderspital Z\xfcrich|C|D|2026||ADT^A01|1|P|2.5||||||8859/1\rEVN|',
      'latin1',
    );
    expect(readHeader(bytes)?.sendingFacility).toBe('Kinderspital Zürich');
  });

  test('returns the first header in a batch', () => {
    expect(read('BHS|^~\\&\rMSH|^~\\&|A|B|C|D|1||ADT^A01|first\rMSH|^~\\&|A|B|C|D|1||ADT^A01|second')?.controlId).toBe(
      'first',
    );
  });

  test.each(['', 'PID|1', 'MSH', 'MSHX^~', 'hello'])('finds no readable header in %j', (text) => {
    expect(read(text)).toBeNull();
  });
});

/** Lines with what headers are made of, and what can be in the way of reading one. */
const header = fc
  .array(
    fc.constantFrom(
      ...'| ^ ~ & \\ # ! é " A ADT A01 C-7 8859/1 ASCII UNICODE \0 \t \v \ufeff'.split(' '),
      '\xfc',
      ' ',
      '\n',
    ),
    { maxLength: 40 },
  )
  .map((parts) => `MSH|${parts.join('')}\rEVN|A01\r`);

test('a header is read alone as it is read with its message', () => {
  fc.assert(
    fc.property(header, fc.constantFrom('latin1', 'utf8'), (text, encoding) => {
      const bytes = Buffer.from(text, encoding);
      const message = parseMessage(decodeText(bytes));
      const of = (read: MessageHeader | null) => read && { ...read, segment: read.segment.raw };
      expect(of(readMessageHeader(bytes))).toEqual(of(message && headerOf(message)));
    }),
  );
});

describe('patientKey', () => {
  const key = (pid: string) => {
    const message = Buffer.from(`MSH|^~\\&|A|B\rEVN|A01\r${pid}\rPV1|1`);
    return patientKey(message, readHeader(message) as MessageHeader);
  };
  test('is the first identifier of PID-3, or of PID-2', () => {
    expect(key('PID|1|x|M-1^^^H^MR~M-2||DOE')).toBe('M-1');
    expect(key('PID|1|x|""~M-2||DOE')).toBe('M-2');
    expect(key('PID|1|x^^^H|||DOE')).toBe('x');
    expect(key('pid|1||M-1')).toBe('M-1');
  });
  test('is empty without an identifier or a PID', () => {
    expect(key('PID|1|||DOE')).toBe('');
    expect(key('NTE|1')).toBe('');
  });
});
