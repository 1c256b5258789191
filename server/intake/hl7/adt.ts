/** Reads an ADT message into facts, which visits and persons are built from. */
import { hash } from 'node:crypto';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { AdtFacts, MergeFacts } from './adt-facts.ts';
import { MOST_REPETITIONS, overLimit } from './field-limits.ts';
import { ASK_SENDER, designatorOf, momentOf, type ReadingContext, textOf } from './field-values.ts';
import { headerOf, type MessageHeader } from './header.ts';
import { knownSsns } from './identifiers.ts';
import { type MergeReading, pairRecords, readMerge } from './merges.ts';
import type { Message, Segment } from './message.ts';
import { type ReadPatient, readPatient, withRecord } from './patient-facts.ts';
import { type MergeNeed, mergeNeedOf, reasonNotActedOn } from './supported-triggers.ts';
import type { SeenOrder } from './time.ts';
import { FIELD_NAMES, lacksTime, timeFieldsOf } from './time-fields.ts';
import { readVisit, type VisitSegments } from './visit-facts.ts';

/**
 * `facts`: one set for each patient or merged pair. `not-acted-on`: understood, but nothing to do. `quarantine`: needed, but incomplete;
 * someone must correct it. Reasons and warnings are for integration engineers: they name segments and fields and hold no patient data.
 * A reason is whole sentences, a warning a phrase that can follow others. `seenOrders`: what its dates with the year last show.
 */
export type AdtReading = { seenOrders?: SeenOrder[] } & (
  | { kind: 'facts'; facts: AdtFacts[]; warnings: string[] }
  | { kind: 'not-acted-on'; reason: string }
  | { kind: 'quarantine'; reason: string }
);

/** Reads a message by its feed's settings. Never throws, whatever the message holds. */
export function readAdt(message: Message, settings: FeedSettings): AdtReading {
  const header = headerOf(message);
  const evnTrigger = message.segment('EVN')?.component(1).trim().toUpperCase() ?? '';
  const trigger = header.trigger || evnTrigger;
  const unread = reasonUnread(header, trigger, settings);
  if (unread !== null) return unread;
  const need = mergeNeedOf(trigger);
  if (need === undefined) return notActedOn(reasonNotActedOn(trigger));
  const tooMuch = overLimit(message);
  if (tooMuch !== null) return quarantine(tooMuch);
  const warnings = new Set<string>();
  const seen = new Set<SeenOrder>();
  const { timeZone, dateOrder } = settings;
  const context: ReadingContext = {
    timeZone,
    dateOrder,
    warn: (warning) => warnings.add(warning),
    see: (order) => seen.add(order),
  };
  if (isTrigger(evnTrigger) && evnTrigger !== trigger) context.warn('EVN-1 differs from MSH-9.2 (MSH-9.2 was used)');
  if (isProtected(message)) context.warn('PD1-12 is Y (protected), which changes nothing here');
  const read = readGroups(message, trigger, need, settings, context);
  if (!Array.isArray(read)) return read;
  const undated = need === null ? read.find(lacksTime) : undefined;
  const reading: AdtReading = undated
    ? quarantine(reasonUndated(undated, seen))
    : { kind: 'facts', facts: read, warnings: [...warnings] };
  return seen.size === 0 ? reading : { ...reading, seenOrders: [...seen] };
}

/** PD1-12, the protection indicator (3.4.10.12). Lists and consents decide who is notified: senders leave out patients who refuse that (decision 0145). */
const isProtected = (message: Message): boolean => {
  const pd1 = message.segment('PD1');
  return pd1 !== undefined && textOf(pd1, 12)?.toUpperCase() === 'Y';
};

/** Returns why a message isn't read: another type, a test, no trigger. Null for an ADT message with a trigger. */
function reasonUnread(
  { messageCode, processingId }: MessageHeader,
  trigger: string,
  { testProcessingIds }: FeedSettings,
): AdtReading | null {
  if (messageCode === '') {
    if (!isTrigger(trigger)) return quarantine(`MSH-9 is empty, so the message type is unknown. ${ASK_SENDER}`);
  } else if (!/^(?:[A-Z]{3}|Z[A-Z0-9]{2})$/.test(messageCode)) {
    return quarantine(`MSH-9.1 isn't a message type such as ADT. ${ASK_SENDER}`);
  } else if (messageCode !== 'ADT') {
    const type = isTrigger(trigger) ? `${messageCode}^${trigger}` : messageCode;
    return notActedOn(`MSH-9 is ${type}. Only ADT messages and documents (MDM, ORU^R01) are read.`);
  }
  if (testProcessingIds.includes(processingId)) {
    return notActedOn(`MSH-11 is ${processingId}, which marks a test message.`);
  }
  if (trigger === '') return quarantine(`MSH-9.2 and EVN-1 are empty, so the trigger event is unknown. ${ASK_SENDER}`);
  return isTrigger(trigger) ? null : quarantine(`MSH-9.2 isn't a trigger event such as A01. ${ASK_SENDER}`);
}

function reasonUndated({ trigger }: AdtFacts, seen: ReadonlySet<SeenOrder>): string {
  const fields = timeFieldsOf(trigger).map((field) => FIELD_NAMES[field]);
  const what = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)} hold no time that can be read, so it's unknown when the ${trigger} happened.`;
  const order = "Choose the order of month and day in the feed's settings, then replay the message.";
  return `${what} ${seen.has('EITHER') ? order : ASK_SENDER}`;
}

function readGroups(
  message: Message,
  trigger: string,
  need: MergeNeed,
  settings: FeedSettings,
  context: ReadingContext,
): AdtFacts[] | AdtReading {
  const groups = need === null ? wholeMessage(message, context) : pairs(message);
  if (groups.length === 0) return quarantine(`The PID segment is missing, so the patient is unknown. ${ASK_SENDER}`);
  const evn = message.segment('EVN');
  const common = {
    trigger,
    controlId: message.header.component(10).trim(),
    sentAt: momentOf(message.header, 7, context) ?? null,
    recordedAt: (evn && momentOf(evn, 2, context)) ?? null,
    occurredAt: (evn && momentOf(evn, 6, context)) ?? null,
  };
  const facts: AdtFacts[] = [];
  for (const group of groups) {
    const facilityIdentifier = facilityOf(message, evn, group.pv1);
    const read = readPatient(group, facilityIdentifier, settings, context);
    if ('reason' in read) return quarantine(read.reason);
    const merge = group.mrg ? readMerge(group.mrg, group.ssns, facilityIdentifier, settings) : null;
    const incomplete = incompleteMerge(need, merge?.merge ?? null);
    if (incomplete !== null) return quarantine(incomplete);
    if (facilityIdentifier === '') context.warn('no facility (MSH-4, EVN-7 and PV1-3.4 are empty)');
    const visit = readVisit(trigger, group, settings, context);
    for (const part of partsOf(need, { ...read, visit }, merge, context)) {
      if (mergesWithItself(trigger, part)) continue;
      facts.push({ ...common, facilityIdentifier, ...part, contentHash: contentHash(message, facts.length) });
    }
    if (facts.length > MOST_REPETITIONS) {
      return quarantine(`MRG merges more than ${MOST_REPETITIONS} record numbers. ${ASK_SENDER}`);
    }
  }
  return facts.length > 0
    ? facts
    : notActedOn('MRG-1 and PID-3 hold the same record number, so there is nothing to merge.');
}

type Part = Pick<AdtFacts, 'patient' | 'visit' | 'merge'>;

/** Returns a part for each record number that is merged, about the patient with the surviving one. The visit is in the first number's. */
function partsOf(
  need: MergeNeed,
  { patient, recordNumbers, visit }: ReadPatient & Pick<Part, 'visit'>,
  reading: MergeReading | null,
  { warn }: ReadingContext,
): Part[] {
  if (need !== 'MRG-1' || reading === null) return [{ patient, visit, merge: reading?.merge ?? null }];
  const { pairs, isComplete } = pairRecords(reading, recordNumbers);
  if (!isComplete) warn("a record number in MRG-1 wasn't merged, because PID-3 has none of its authority");
  const own = pairs.findIndex(({ survivor }) => survivor === recordNumbers[0]);
  return pairs.map(({ survivor, merge }, index) => ({
    patient: withRecord(patient, survivor),
    visit: index === own ? visit : null,
    merge,
  }));
}

interface PatientGroup extends VisitSegments {
  mrg: Segment | undefined;
}

/** Returns the PID segments, without those that have no values and are followed by another one. */
function patientSegments(message: Message): Segment[] {
  const heads = message.all.filter(({ name }) => name === 'PID' || name === 'MRG');
  return heads.filter((each, at) => each.name === 'PID' && (each.hasValues() || heads[at + 1]?.name !== 'PID'));
}

function wholeMessage(message: Message, { warn }: ReadingContext): PatientGroup[] {
  const [pid, ...others] = patientSegments(message);
  if (pid === undefined) return [];
  if (others.length > 0) warn('only the first of several PID segments was read');
  return [groupOf(pid, message.all, message.segment('MRG'))];
}

/** Pairs each PID with each MRG after it, and with the PV1 after that MRG (A40 repeats PID and MRG, A45 repeats MRG and PV1). */
function pairs(message: Message): PatientGroup[] {
  const starts = patientSegments(message).map((pid) => message.all.indexOf(pid));
  return starts.flatMap((start, number) => {
    const segments = message.all.slice(start, starts[number + 1]);
    const [pid] = segments as [Segment];
    const merges = [...segments.keys()].filter((index) => segments[index]?.name === 'MRG');
    if (merges.length < 2) return [groupOf(pid, segments, segments[merges[0] ?? -1])];
    return merges.map((at, index) => groupOf(pid, segments.slice(at, merges[index + 1]), segments[at]));
  });
}

function groupOf(pid: Segment, segments: readonly Segment[], mrg: Segment | undefined): PatientGroup {
  const first = (name: string) => segments.find((segment) => segment.name === name);
  const all = (name: string) => segments.filter((segment) => segment.name === name);
  const [pv1, pv2, drg] = [first('PV1'), first('PV2'), first('DRG')];
  return { pid, ssns: knownSsns(pid), mrg, pv1, pv2, dg1: all('DG1'), drg, in1: all('IN1') };
}

/** Returns the reason for quarantine if a merge lacks what its trigger needs; else null. */
function incompleteMerge(need: MergeNeed, merge: MergeFacts | null): string | null {
  if (need === null) return null;
  if (merge === null) return `A PID segment has no MRG segment after it, so it's unknown what to merge. ${ASK_SENDER}`;
  const empty = (number: string) => `${need} is empty, so the ${number} number to merge is unknown. ${ASK_SENDER}`;
  if (need === 'MRG-1' && merge.priorRecordNumber === null) return empty('record');
  if (need === 'MRG-3' && merge.priorAccountNumber === null) return empty('account');
  return need === 'MRG-5' && merge.priorVisitNumber === null ? empty('visit') : null;
}

/** Some senders send an A40 that merges a record number into itself. An A36 or A43 also moves an account or a list of identifiers. */
function mergesWithItself(trigger: string, { patient, merge }: Part): boolean {
  if (!/^A(18|30|34|39|40|47)$/.test(trigger) || merge?.priorRecordNumber !== patient.recordNumber) return false;
  const [prior, own] = [merge.priorRecordAuthority, patient.recordAuthority];
  return prior === undefined || own === undefined || prior.toUpperCase() === own.toUpperCase();
}

/** Returns the facility that a message names: PV1-3.4, EVN-7 or MSH-4. */
export function facilityOf(message: Message, evn: Segment | undefined, pv1: Segment | undefined): string {
  return (pv1 && designatorOf(pv1, 3, 4)) ?? (evn && designatorOf(evn, 7)) ?? textOf(message.header, 4) ?? '';
}

/** The position makes the hashes of one message's facts differ, so that any two facts have an order. */
function contentHash(message: Message, position: number): string {
  return hash('sha256', position === 0 ? message.text : `${message.text}\u001e${position}`, 'hex');
}

function isTrigger(text: string): boolean {
  return /^[A-Z]\d\d$/.test(text);
}

function notActedOn(reason: string): AdtReading {
  return { kind: 'not-acted-on', reason };
}

function quarantine(reason: string): AdtReading {
  return { kind: 'quarantine', reason };
}
