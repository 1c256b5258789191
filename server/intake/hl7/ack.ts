/**
 * Acknowledgements (HL7 v2.5.1, 2.9 and 2.14.1): ACK with MSA, and ERR where something is wrong.
 */
import { encodingCharacters, STANDARD_DELIMITERS } from './delimiters.ts';
import { escapeText } from './escape.ts';
import type { MessageHeader } from './header.ts';

/** Table 0008: A… for the application, C… that the message is in safe storage or not (enhanced mode). */
export type AcknowledgementCode = 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';

export interface Acknowledgement {
  code: AcknowledgementCode;
  /** For the sender's engineer, in MSA-3 and ERR-8; nothing about the patient. */
  text?: string;
  /** MSH-10 of the acknowledgement itself. */
  controlId: string;
  now: Date;
}

/** When an acknowledgement is wanted (table 0155): always, never, on errors, on success. */
export type AcknowledgementCondition = 'AL' | 'NE' | 'ER' | 'SU';

/** Original mode: one application acknowledgement. Enhanced: each of the two under its condition (MSH-15, MSH-16). */
export type AcknowledgementMode =
  | { mode: 'original' }
  | { mode: 'enhanced'; accept: AcknowledgementCondition; application: AcknowledgementCondition };

/**
 * The acknowledgement of a message as bytes, without framing: in the delimiters of its sender, with its sender and receiver
 * swapped, MSH-11 and MSH-12 echoed, MSA-2 its MSH-10. A null header (no MSH could be read) leaves MSA-2 empty.
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
  if (segments.flat().some((field) => !isAscii(field))) segments[0]?.push('', '', '', '', '', 'UNICODE UTF-8');
  return Buffer.from(segments.map((fields) => `${fields.join(delimiters.field)}\r`).join(''));
}

/** Reads MSH-15 and MSH-16; a condition that is missing or unknown counts as never once the other one is there. */
export function acknowledgementMode(header: MessageHeader): AcknowledgementMode {
  const accept = conditionOf(header.acceptAcknowledgement);
  const application = conditionOf(header.applicationAcknowledgement);
  if (accept === null && application === null) return { mode: 'original' };
  return { mode: 'enhanced', accept: accept ?? 'NE', application: application ?? 'NE' };
}

/** ERR-3 from table 0357: 100 where the content is wrong, 207 where we are. */
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

/** In UTC with its offset, so that it means the same everywhere. */
function stamp(now: Date): string {
  return `${now.toISOString().slice(0, 19).replace(/[-T:]/g, '')}+0000`;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
