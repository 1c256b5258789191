/**
 * An ADT message as facts: what the fold of a visit and the matching of a person work on.
 */
import { hash } from 'node:crypto';
import type { AdtFacts, MergeFacts, PatientFacts } from './adt-facts.ts';
import type { FeedSettings } from './feed-settings.ts';
import { designatorOf, momentOf, type ReadingContext, textOf } from './field-values.ts';
import { headerOf, type MessageHeader } from './header.ts';
import { chooseRecordNumber, isSocialSecurityNumber, readIdentifiers, ssnDigits } from './identifiers.ts';
import type { Message, Segment } from './message.ts';
import { readPatient } from './patient-facts.ts';
import { type MergeNeed, mergeNeedOf, reasonNotActedOn } from './supported-triggers.ts';
import { readVisit, type VisitSegments } from './visit-facts.ts';

/**
 * `facts`: one for each patient, or each pair that is merged. `not-acted-on`: read and of no use here. `quarantine`: of use, but
 * it lacks something, and somebody must look. Reasons and warnings are for an integration engineer: they name segment and
 * field and hold nothing about the patient.
 */
export type AdtReading =
  | { kind: 'facts'; facts: AdtFacts[]; warnings: string[] }
  | { kind: 'not-acted-on'; reason: string }
  | { kind: 'quarantine'; reason: string };

/** Reads one message by its feed's settings. Never throws for anything that a message may hold. */
export function readAdt(message: Message, settings: FeedSettings): AdtReading {
  const header = headerOf(message);
  const evnTrigger = message.segment('EVN')?.component(1).trim().toUpperCase() ?? '';
  const trigger = header.trigger || evnTrigger;
  const refusal = refusalOf(header, trigger, settings);
  if (refusal !== null) return refusal;
  const need = mergeNeedOf(trigger);
  if (need === undefined) return notActedOn(reasonNotActedOn(trigger));
  const warnings = new Set<string>();
  const context: ReadingContext = { timeZone: settings.timeZone, warn: (warning) => warnings.add(warning) };
  if (isTrigger(evnTrigger) && evnTrigger !== trigger) context.warn('EVN-1 differs from MSH-9.2, which is used');
  const facts = readGroups(message, trigger, need, settings, context);
  return Array.isArray(facts) ? { kind: 'facts', facts, warnings: [...warnings] } : facts;
}

/** What keeps a message from being read at all: another type, a test, no trigger. Null for an ADT message with a trigger. */
function refusalOf(
  { messageCode, processingId }: MessageHeader,
  trigger: string,
  { testProcessingIds }: FeedSettings,
): AdtReading | null {
  if (messageCode === '') {
    if (!isTrigger(trigger)) return quarantine('MSH-9 is empty: the message does not say what it is');
  } else if (!/^[A-Z][A-Z0-9]{2}$/.test(messageCode)) {
    return quarantine('MSH-9.1 is not a message type such as ADT');
  } else if (messageCode !== 'ADT') {
    const type = isTrigger(trigger) ? `${messageCode}^${trigger}` : messageCode;
    return notActedOn(`MSH-9 is ${type}: this version reads ADT messages only`);
  }
  if (testProcessingIds.includes(processingId)) {
    return notActedOn(`MSH-11 is ${processingId}: the sender marks the message as a test`);
  }
  if (trigger === '') return quarantine('MSH-9.2 and EVN-1 are empty: the message does not say what happened');
  return isTrigger(trigger) ? null : quarantine('MSH-9.2 is not a trigger event such as A01');
}

function readGroups(
  message: Message,
  trigger: string,
  need: MergeNeed,
  settings: FeedSettings,
  context: ReadingContext,
): AdtFacts[] | AdtReading {
  const groups = need === null ? wholeMessage(message, context) : pairs(message);
  if (groups.length === 0) return quarantine('The message has no PID segment: it names no patient');
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
    const patient = readPatient(group.pid, group.in1, facilityIdentifier, settings, context);
    if ('reason' in patient) return quarantine(patient.reason);
    const merge = group.mrg ? readMerge(group.mrg, group.pid, facilityIdentifier, settings) : null;
    const missing = missingOfMerge(need, merge);
    if (missing !== null) return quarantine(missing);
    if (mergesWithItself(trigger, merge, patient)) continue;
    if (facilityIdentifier === '') context.warn('MSH-4, EVN-7 and PV1-3.4 are empty: the message names no facility');
    const visit = readVisit(group, settings, context);
    const hashed = contentHash(message, facts.length);
    facts.push({ ...common, facilityIdentifier, patient, visit, merge, contentHash: hashed });
  }
  return facts.length > 0
    ? facts
    : notActedOn('MRG-1 and PID-3 name the same record number: there is nothing to merge');
}

interface PatientGroup extends VisitSegments {
  mrg: Segment | undefined;
}

function wholeMessage(message: Message, { warn }: ReadingContext): PatientGroup[] {
  const [pid, ...others] = message.segments('PID');
  if (pid === undefined) return [];
  if (others.length > 0) warn('The message has several PID segments: only the first is read');
  return [groupOf(pid, message.all, message.segment('MRG'))];
}

/** Each PID with each MRG that follows it, and the PV1 that follows that MRG (A40 repeats the pair, A45 the MRG and PV1). */
function pairs(message: Message): PatientGroup[] {
  const starts = [...message.all.keys()].filter((index) => message.all[index]?.name === 'PID');
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
  return { pid, mrg, pv1: first('PV1'), pv2: first('PV2'), dg1: all('DG1'), in1: all('IN1') };
}

/** MRG-1 (or MRG-4, as before HL7 v2.3), MRG-3 and MRG-5. */
function readMerge(mrg: Segment, pid: Segment, facility: string, { recordNumber }: FeedSettings): MergeFacts {
  const ssn = ssnDigits(pid.component(19));
  const identifiers = (field: number) => readIdentifiers(mrg, field).filter((id) => !isSocialSecurityNumber(id, ssn));
  const prior =
    chooseRecordNumber(identifiers(1), recordNumber, facility) ??
    chooseRecordNumber(identifiers(4), recordNumber, facility);
  return {
    priorRecordNumber: prior?.value ?? null,
    ...(prior?.authority != null && { priorRecordAuthority: prior.authority }),
    priorAccountNumber: identifiers(3)[0]?.value ?? null,
    priorVisitNumber: identifiers(5)[0]?.value ?? null,
  };
}

function missingOfMerge(need: MergeNeed, merge: MergeFacts | null): string | null {
  if (need === null) return null;
  if (merge === null) return 'A PID segment has no MRG segment after it: nothing says what gives way';
  if (need === 'MRG-1' && merge.priorRecordNumber === null) return 'MRG-1 is empty: no record number that gives way';
  if (need === 'MRG-3' && merge.priorAccountNumber === null) return 'MRG-3 is empty: no account number that gives way';
  return need === 'MRG-5' && merge.priorVisitNumber === null ? 'MRG-5 is empty: no visit number that gives way' : null;
}

/** Some senders announce with A40 that they have merged a record into the same number. */
function mergesWithItself(trigger: string, merge: MergeFacts | null, patient: PatientFacts): boolean {
  if (!/^A(18|30|34|39|40|47)$/.test(trigger) || merge?.priorRecordNumber !== patient.recordNumber) return false;
  const [prior, own] = [merge.priorRecordAuthority, patient.recordAuthority];
  return prior === undefined || own === undefined || prior.toUpperCase() === own.toUpperCase();
}

function facilityOf(message: Message, evn: Segment | undefined, pv1: Segment | undefined): string {
  return (pv1 && designatorOf(pv1, 3, 4)) ?? (evn && designatorOf(evn, 7)) ?? textOf(message.header, 4) ?? '';
}

/** Facts of one message differ in their hash by their place in it, so that no two facts are ever equal in order. */
function contentHash(message: Message, place: number): string {
  return hash('sha256', place === 0 ? message.text : `${message.text}\u001e${place}`, 'hex');
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
