/** Acknowledgements (HL7 v2.5.1, 2.9 and 2.14.1): ACK with MSA, and ERR for a problem. */
import { isAscii } from 'node:buffer';
import { encodingCharacters, STANDARD_DELIMITERS } from './delimiters.ts';
import { escapeText } from './escape.ts';
import type { MessageHeader } from './header.ts';

/** Table 0008. A…: the application's answer. C…: whether the message was committed to storage (enhanced mode). */
type AcknowledgementCode = 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';

interface Acknowledgement {
  code: AcknowledgementCode;
  /** For the sender's engineer, in MSA-3 and ERR-8. Holds no patient data. */
  text?: string;
  /** MSH-10 of the acknowledgement itself. */
  controlId: string;
  now: Date;
}

/** When an acknowledgement is requested (table 0155): always, never, on error, on success. */
type AcknowledgementCondition = 'AL' | 'NE' | 'ER' | 'SU';

/** Original mode: one application acknowledgement. Enhanced mode: an accept and an application acknowledgement (MSH-15, MSH-16). */
type AcknowledgementMode =
  | { mode: 'original' }
  | { mode: 'enhanced'; accept: AcknowledgementCondition; application: AcknowledgementCondition };

/**
 * Returns the bytes of an acknowledgement, without framing. It has the sender's delimiters, sender and receiver swapped, MSH-11 and MSH-12
 * echoed, and the message's MSH-10 in MSA-2. With a null header (no readable MSH), MSA-2 is empty.
 */
export function buildAck(header: MessageHeader | null, { code, text = '', controlId, now }: Acknowledgement): Buffer {
  const delimiters = header?.delimiters ?? STANDARD_DELIMITERS;
  const echo = (field: number) => header?.segment.field(field) ?? '';
  const escaped = (value: string) => escapeText(value, delimiters);
  const composite = (...components: string[]) => components.map(escaped).join(delimiters.component);
  const trigger = /^[A-Z]\d\d$/.test(header?.trigger ?? '') ? (header?.trigger ?? '') : '';
  const segments = [
    [
      'MSH',
      encodingCharacters(delimiters),
      echo(5),
      echo(6),
      echo(3),
      echo(4),
      stamp(now),
      '',
      trigger === '' ? 'ACK' : composite('ACK', trigger, 'ACK'),
      escaped(controlId),
      echo(11) || 'P',
      echo(12) || '2.5.1',
    ],
    ['MSA', code, echo(10), escaped(text)],
  ];
  if (code !== 'AA' && code !== 'CA') segments.push(errorSegment(code, text, composite, escaped));
  const written = () => segments.map((fields) => `${fields.join(delimiters.field)}\r`).join('');
  const bytes = Buffer.from(written());
  if (isAscii(bytes)) return bytes;
  segments[0]?.push('', '', '', '', '', 'UNICODE UTF-8');
  return Buffer.from(written());
}

/** Reads MSH-15 and MSH-16. If only one of them is a known condition, the other one counts as never. */
export function acknowledgementMode(header: MessageHeader): AcknowledgementMode {
  const accept = conditionOf(header.acceptAcknowledgement);
  const application = conditionOf(header.applicationAcknowledgement);
  if (accept === null && application === null) return { mode: 'original' };
  return { mode: 'enhanced', accept: accept ?? 'NE', application: application ?? 'NE' };
}

/** ERR-3 from table 0357: 100 for a problem in the message, 207 for one on our side. */
function errorSegment(
  code: AcknowledgementCode,
  text: string,
  composite: (...components: string[]) => string,
  escaped: (value: string) => string,
): string[] {
  const error = code.endsWith('E')
    ? composite('100', 'Segment sequence error', 'HL70357')
    : composite('207', 'Application internal error', 'HL70357');
  return ['ERR', '', '', error, 'E', '', '', '', escaped(text)];
}

function conditionOf(text: string): AcknowledgementCondition | null {
  return text === 'AL' || text === 'NE' || text === 'ER' || text === 'SU' ? text : null;
}

/** Returns the time in UTC with its offset, which needs no agreement on a time zone. */
function stamp(now: Date): string {
  return `${now.toISOString().slice(0, 19).replace(/[-T:]/g, '')}+0000`;
}
