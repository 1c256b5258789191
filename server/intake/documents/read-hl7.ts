/**
 * Documents in HL7 v2: MDM (v2.5.1, 9.6) and ORU^R01 with encapsulated data (OBX-2 ED). The patient is PID's, as in an ADT message; what a
 * C-CDA document says about its patient besides only tells whether it is about another one (`about-another.ts`).
 */
import { hash } from 'node:crypto';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { facilityOf } from '#server/intake/hl7/adt.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { overLimit } from '#server/intake/hl7/field-limits.ts';
import { ASK_SENDER, momentOf, type ReadingContext, textOf } from '#server/intake/hl7/field-values.ts';
import { headerOf } from '#server/intake/hl7/header.ts';
import { knownSsns } from '#server/intake/hl7/identifiers.ts';
import type { Message, Segment } from '#server/intake/hl7/message.ts';
import { readPatient } from '#server/intake/hl7/patient-facts.ts';
import { factsOf } from './clinical-facts.ts';
import { describeDocument, isRestricted } from './describe.ts';
import { nameIn0270, typeBy } from './message-types.ts';
import { attachmentsOf, problemIn } from './observations.ts';
import type { DocumentReading } from './read-cda.ts';
import type { ReceivedDocument } from './received-document.ts';

/** What each trigger event of MDM does; those that announce a document come without it. */
const ACTS: Readonly<Record<string, ReceivedDocument['act'] | 'ANNOUNCED'>> = {
  T01: 'ANNOUNCED',
  T02: 'NEW',
  T03: 'ANNOUNCED',
  T04: 'NEW',
  T05: 'ANNOUNCED',
  T06: 'ADDENDUM',
  T07: 'ANNOUNCED',
  T08: 'NEW',
  T09: 'ANNOUNCED',
  T10: 'REPLACE',
  T11: 'CANCEL',
};

/** Whether a message may hold a document. */
export const mayHoldDocument = (messageCode: string, trigger: string): boolean =>
  messageCode === 'MDM' || (messageCode === 'ORU' && (trigger === 'R01' || trigger === ''));

/** Reads an MDM or ORU message by its feed's settings. */
export function readDocumentMessage(message: Message, settings: FeedSettings): DocumentReading {
  const { messageCode, trigger, processingId, controlId } = headerOf(message);
  if (settings.testProcessingIds.includes(processingId)) {
    return { kind: 'not-acted-on', reason: `MSH-11 is ${processingId}, which marks a test message.` };
  }
  const act = messageCode === 'MDM' ? ACTS[trigger] : 'NEW';
  if (act === undefined) return { kind: 'not-acted-on', reason: 'MSH-9.2 is no trigger event of MDM (T01 to T11).' };
  if (act === 'ANNOUNCED') {
    return {
      kind: 'not-acted-on',
      reason: `MDM^${trigger} announces a document without its content, which comes in a message of its own.`,
    };
  }
  const tooMuch = overLimit(message);
  if (tooMuch !== null) return { kind: 'quarantine', reason: tooMuch };
  const problem = act === 'CANCEL' ? null : problemIn(message.segments('OBX'));
  if (problem !== null) return { kind: 'quarantine', reason: `${problem} ${ASK_SENDER}` };
  const warnings = new Set<string>();
  const { timeZone, dateOrder } = settings;
  const context: ReadingContext = { timeZone, dateOrder, warn: (warning) => warnings.add(warning), see: () => {} };
  const documents = messageCode === 'MDM' ? ofMdm(message, act, settings, context) : ofOru(message, settings, context);
  if (documents.length === 0) {
    return messageCode === 'MDM'
      ? { kind: 'quarantine', reason: `OBX-5 holds no document. ${ASK_SENDER}` }
      : { kind: 'not-acted-on', reason: 'ORU^R01 has no document in OBX (OBX-2 is not ED).' };
  }
  const facts = readFacts(message, controlId, settings, context);
  if ('reason' in facts) return { kind: 'quarantine', reason: facts.reason };
  for (const { problem } of documents)
    if (problem !== null) warnings.add(`the document is kept, but can't be read: ${problem}`);
  const visit = visitOf(message, context);
  return {
    kind: 'documents',
    facts,
    documents: documents.map((document) => ({ ...document, ...withVisit(document, visit) })),
    warnings: [...warnings],
  };
}

function readFacts(
  message: Message,
  controlId: string,
  settings: FeedSettings,
  context: ReadingContext,
): AdtFacts | { reason: string } {
  const pid = message.segment('PID');
  if (pid === undefined) return { reason: `The PID segment is missing, so the patient is unknown. ${ASK_SENDER}` };
  const facilityIdentifier = facilityOf(message, message.segment('EVN'), message.segment('PV1'));
  const read = readPatient(
    { pid, ssns: knownSsns(pid), in1: message.segments('IN1') },
    facilityIdentifier,
    settings,
    context,
  );
  if ('reason' in read) return read;
  const { deceased: _, deceasedAt: __, isDeathByDate: ___, ...patient } = read.patient;
  const sentAt = momentOf(message.header, 7, context) ?? null;
  return factsOf(patient, { controlId, sentAt, facilityIdentifier, contentHash: hash('sha256', message.text, 'hex') });
}

type Visit = Pick<ReceivedDocument, 'visitNumbers' | 'visitDay'>;

function visitOf(message: Message, context: ReadingContext): Visit {
  const [pv1, pid] = [message.segment('PV1'), message.segment('PID')];
  const numbers = [pv1 && textOf(pv1, 19), pv1 && textOf(pv1, 50), pid && textOf(pid, 18)];
  return {
    visitNumbers: numbers.filter((number) => number !== undefined && number !== null),
    visitDay: (pv1 && momentOf(pv1, 44, context)?.localDate) ?? null,
  };
}

/** What the message says about the visit comes before what the document does. */
const withVisit = (document: ReceivedDocument, { visitNumbers, visitDay }: Visit): Visit => ({
  visitNumbers: [...new Set([...visitNumbers, ...document.visitNumbers])],
  visitDay: visitDay ?? document.visitDay,
});

/** One document, in one or more OBX; its number and status are in TXA (v2.5.1, 9.7.1). */
function ofMdm(
  message: Message,
  act: ReceivedDocument['act'],
  settings: FeedSettings,
  context: ReadingContext,
): ReceivedDocument[] {
  const txa = message.segment('TXA');
  const text = (field: number, component = 1) => (txa && textOf(txa, field, component)) || null;
  const typeName = text(2, 2) ?? nameIn0270(text(2));
  const type = typeName ?? text(2);
  const moment = txa && (momentOf(txa, 4, context) ?? momentOf(txa, 6, context) ?? momentOf(txa, 7, context));
  const isDeleted = act === 'CANCEL' || text(19)?.toUpperCase() === 'CA';
  const shared = {
    act: isDeleted ? ('CANCEL' as const) : act,
    number: text(12) ?? text(12, 3),
    parentNumber: text(13) ?? text(13, 3),
  };
  const found = isDeleted ? [] : attachmentsOf(message.segments('OBX'));
  if (isDeleted)
    return shared.number === null ? [] : [{ ...describeDocument(Buffer.alloc(0), settings), ...shared, bytes: null }];
  return found.map(({ bytes, title, code }, index) => {
    const described = describeDocument(bytes, settings);
    const said = typeBy([text(2), code], type === null ? [title] : [type, title]);
    const name = described.model
      ? described.title
      : (typeName ?? telling(title, code) ?? type ?? title ?? described.title);
    return {
      ...described,
      ...shared,
      number: shared.number && (index === 0 ? shared.number : `${shared.number}/${index + 1}`),
      ...(shared.number === null && { number: described.number, parentNumber: described.parentNumber }),
      title: name,
      typeCode: described.typeCode ?? said.typeCode,
      type: described.type ?? said.type,
      author: described.author ?? nameIn(txa, 9) ?? nameIn(txa, 5),
      writtenAt: described.writtenAt ?? moment ?? null,
      written: described.written ?? (moment ? writtenIn(moment) : null),
      isRestricted: described.isRestricted || isRestricted(text(18)),
    };
  });
}

/** The words of OBX-3, if they say more than that it is a report: a local code in TXA-2 without a name says less. */
const telling = (title: string | null, code: string | null): string | null =>
  title === null || title === code || title.toLowerCase() === 'report' ? null : title;

/** A document in each OBX with encapsulated data, under the report of the OBR before it. */
function ofOru(message: Message, settings: FeedSettings, context: ReadingContext): ReceivedDocument[] {
  let report: Segment | undefined;
  return message.all.flatMap((segment): ReceivedDocument[] => {
    if (segment.name === 'OBR') report = segment;
    if (segment.name !== 'OBX') return [];
    const [attachment] = segment.component(2).trim().toUpperCase() === 'ED' ? attachmentsOf([segment]) : [];
    const order = report && (textOf(report, 3) ?? textOf(report, 2));
    const number = order ? [order, textOf(segment, 3), textOf(segment, 4)].filter(Boolean).join('/') : null;
    const isWithdrawn = /^[DXW]$/i.test(segment.component(11).trim());
    if (isWithdrawn && number !== null) {
      return [{ ...describeDocument(Buffer.alloc(0), settings), act: 'CANCEL' as const, number, bytes: null }];
    }
    if (attachment === undefined) return [];
    const described = describeDocument(attachment.bytes, settings);
    const moment = momentOf(segment, 14, context) ?? (report && momentOf(report, 7, context)) ?? null;
    const [reportCode, reportName] = [report && textOf(report, 4), report && textOf(report, 4, 2)];
    const name = attachment.title ?? reportName ?? reportCode ?? described.title;
    const said = typeBy([attachment.code, reportCode ?? null], [name, reportName ?? null]);
    return [
      {
        ...described,
        number: number ?? described.number,
        title: described.model ? described.title : name,
        typeCode: described.typeCode ?? said.typeCode,
        type: described.type ?? said.type,
        author: described.author ?? nameIn(report, 32) ?? nameIn(segment, 16),
        writtenAt: described.writtenAt ?? moment,
        written: described.written ?? (moment ? writtenIn(moment) : null),
      },
    ];
  });
}

const writtenIn = ({
  instant,
  localDate,
  precision,
}: {
  instant: string;
  localDate: string;
  precision: string;
}): string => (precision === 'day' ? localDate : instant);

/** Returns a person (XCN) in one line. */
function nameIn(segment: Segment | undefined, field: number): string | null {
  if (segment === undefined) return null;
  const part = (component: number) => textOf(segment, field, component);
  return [part(6), part(3), part(2), part(5)].filter(Boolean).join(' ') || null;
}
