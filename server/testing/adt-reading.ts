/** ADT messages from segments, read into facts, for tests. */
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { type AdtReading, readAdt } from '#server/intake/hl7/adt.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import { encodeMessage, type FieldValue, type SegmentValue } from './hl7-writing.ts';

/** PID of a patient with a record number and a name. */
export const PATIENT: Record<number, FieldValue> = { 3: [['M-1', '', '', 'NORTH', 'MR']], 5: [['ROE', 'ANN']] };

/** Reads a message by the default settings, with changes. */
export function read(segments: SegmentValue[], settings: Partial<FeedSettings> = {}): AdtReading {
  const message = parseMessage(encodeMessage(segments));
  if (message === null) throw new Error('The message was not parsed');
  return readAdt(message, { ...DEFAULT_FEED_SETTINGS, ...settings });
}

export function msh(trigger: string, fields: Record<number, FieldValue> = {}): SegmentValue {
  return {
    name: 'MSH',
    fields: {
      3: 'EHR',
      4: 'NORTH',
      7: '20260301120000',
      9: [['ADT', trigger]],
      10: 'C-1',
      11: 'P',
      12: '2.5.1',
      ...fields,
    },
  };
}

/** Returns the facts of a message with this trigger, PID, PV1 and further segments. */
export function factsOf(
  trigger: string,
  pid: Record<number, FieldValue> = {},
  pv1: Record<number, FieldValue> = {},
  more: SegmentValue[] = [],
  settings: Partial<FeedSettings> = {},
): AdtFacts {
  const reading = read(
    [msh(trigger), { name: 'PID', fields: { ...PATIENT, ...pid } }, { name: 'PV1', fields: pv1 }, ...more],
    settings,
  );
  if (reading.kind !== 'facts' || reading.facts[0] === undefined) throw new Error(JSON.stringify(reading));
  return reading.facts[0];
}
