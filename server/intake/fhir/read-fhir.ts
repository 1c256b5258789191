/** A FHIR message → facts, the same that HL7 v2 gives. Pure. docs/decisions/0141 */
import { hash } from 'node:crypto';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { AdtReading } from '#server/intake/hl7/adt.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import { mergeNeedOf, reasonNotActedOn } from '#server/intake/hl7/supported-triggers.ts';
import { lacksTime, timeFieldsOf } from '#server/intake/hl7/time-fields.ts';
import { type Bundle, bundleOf, messageIdOf, type Resource } from './bundle.ts';
import { codesOf } from './codes.ts';
import { readCoverage } from './coverage.ts';
import { list, object, parseObject } from './json.ts';
import { mergeFactsOf, mergesOf } from './merges.ts';
import { numbersOf, readPatient } from './patient.ts';
import { facilityNamesOf, placesOf } from './places.ts';
import { encounterOf, focusOf, patientOf } from './subjects.ts';
import { FHIR_FIELD_NAMES, type FhirContext, momentAt, startOf, updatedAt } from './times.ts';
import { eventOf, triggerOf, v2TriggerIn } from './trigger.ts';
import { NoMessage, Unusable } from './unreadable.ts';
import { classSince, readVisit } from './visit.ts';

/** A feed, as far as reading needs it: its settings, and which identifiers of facilities it lists. */
export interface ReadingFeed {
  settings: FeedSettings;
  isListed: (identifier: string) => boolean;
}

/** Reads a message by its feed's settings. Never throws, whatever the bytes are. */
export function readFhir(bytes: Uint8Array, feed: ReadingFeed): AdtReading {
  try {
    return readBundle(bundleOf(parseObject(bytes)), hash('sha256', bytes, 'hex'), feed);
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'quarantine', reason: error.message };
    if (error instanceof NoMessage) return { kind: 'quarantine', reason: `${error.message} ${ASK_SENDER}` };
    throw error;
  }
}

function readBundle(bundle: Bundle, contentHash: string, feed: ReadingFeed): AdtReading {
  const unread = reasonUnread(bundle, feed.settings);
  if (unread !== null) return { kind: 'not-acted-on', reason: unread };
  const warnings = new Set<string>();
  const context: FhirContext = { timeZone: feed.settings.timeZone, warn: (warning) => warnings.add(warning) };
  const event = eventOf(bundle.header.node);
  const focus = focusOf(bundle);
  // Converters of HL7 v2 name no focus, or another one.
  const hasFocus = focus.length > 0 && v2TriggerIn(event) === null;
  const isAbout = (wanted: string) => focus.some(({ type }) => type === wanted);
  if (hasFocus && !isAbout('Encounter') && !isAbout('Patient')) {
    return {
      kind: 'not-acted-on',
      reason:
        'MessageHeader.focus is neither an Encounter nor a Patient. Only notifications about visits and patients are read.',
    };
  }
  const encounter = hasFocus && !isAbout('Encounter') ? undefined : encounterOf(bundle, focus);
  const trigger = encounter ? triggerOf(event, encounter.node) : personTrigger(event);
  const need = mergeNeedOf(trigger);
  if (need === undefined)
    return { kind: 'not-acted-on', reason: reasonNotActedOn(trigger, `MessageHeader.event is ${trigger}`) };
  if (need !== null && need !== 'MRG-1') {
    return {
      kind: 'not-acted-on',
      reason: `MessageHeader.event is ${trigger}, which merges or moves accounts or visits. FHIR has no element for that; send it as HL7 v2.`,
    };
  }
  const read = { bundle, feed, context, trigger, contentHash };
  const facts = need === 'MRG-1' ? mergedFacts(read) : [factsOf(read, encounter, patientOf(bundle, focus, encounter))];
  if (facts.length === 0)
    return { kind: 'not-acted-on', reason: 'Each record number is merged into itself, so there is nothing to merge.' };
  const undated = need === null ? facts.find(lacksTime) : undefined;
  if (undated) return { kind: 'quarantine', reason: reasonUndated(trigger) };
  return { kind: 'facts', facts, warnings: [...warnings] };
}

/** The reason of an answer, and of a test (HL7 tables 0103 and ActReason), for not being acted on. Null for any other message. */
function reasonUnread({ node, header }: Bundle, { testProcessingIds }: FeedSettings): string | null {
  if (object(header.node, 'response')) return 'MessageHeader.response is set: this is the answer to another message.';
  const metas = [node, header.node].flatMap((each) => list(each, 'meta'));
  const isTest = metas.some(
    (meta) =>
      codesOf(meta, 'security').some(({ code }) => code === 'HTEST') ||
      codesOf(meta, 'tag').some(
        ({ code, system }) => system.endsWith('0103') && testProcessingIds.includes(code.toUpperCase()),
      ),
  );
  return isTest ? 'MessageHeader.meta marks a test message.' : null;
}

/** Triggers of HL7 v2 that are about a person. */
const ABOUT_PERSON = new Set(['A08', 'A18', 'A28', 'A29', 'A30', 'A31', 'A34', 'A39', 'A40', 'A47', 'A51']);

/** Returns the trigger of a message without an Encounter. Errors: Unusable if it has to be about one. */
function personTrigger(event: string | null): string {
  const sent = v2TriggerIn(event);
  if (sent !== null && (ABOUT_PERSON.has(sent) || mergeNeedOf(sent) === undefined)) return sent;
  if (sent === null && !event?.toLowerCase().startsWith('notification-')) return 'A31';
  throw new Unusable(`The Bundle has no Encounter, so the visit is unknown. ${ASK_SENDER}`);
}

/** What all facts of a message are read from. */
interface Reading {
  bundle: Bundle;
  feed: ReadingFeed;
  context: FhirContext;
  trigger: string;
  contentHash: string;
}

function factsOf(
  { bundle, feed, context, trigger, contentHash }: Reading,
  encounter: Resource | undefined,
  patient: Resource,
): AdtFacts {
  const { settings } = feed;
  const places = encounter ? placesOf(bundle, encounter) : { now: undefined, before: undefined };
  const facilityNames = facilityNamesOf(bundle, encounter, places.now);
  const facilityIdentifier = facilityNames.find(feed.isListed) ?? facilityNames[0] ?? '';
  if (facilityIdentifier === '')
    context.warn('no facility (Encounter.serviceProvider and MessageHeader.sender are empty)');
  const { payers, memberIds } = readCoverage(bundle, patient);
  const source = encounter && { bundle, encounter, trigger, places, facilityNames };
  const occurredAt = encounter && occurredOf(trigger, encounter, places.now?.stay, context);
  return {
    ...headOf(bundle, trigger, context),
    recordedAt: (encounter && updatedAt(encounter.node, 'Encounter', context)) ?? null,
    occurredAt: occurredAt ?? null,
    facilityIdentifier,
    patient: readPatient(patient.node, memberIds, facilityIdentifier, settings, context),
    visit: source ? { ...readVisit(source, settings, context), payers } : null,
    merge: null,
    contentHash,
  };
}

/** Returns when an arrival or move happened, which the period of the whole visit doesn't say: when the present class or place began. */
function occurredOf(trigger: string, { node }: Resource, stay: Parameters<typeof startOf>[0], context: FhirContext) {
  if (trigger === 'A02') return startOf(stay, 'Encounter.location', context) ?? classSince(node, context);
  return trigger === 'A01' || trigger === 'A06' || trigger === 'A07' ? classSince(node, context) : undefined;
}

type Head = Pick<AdtFacts, 'trigger' | 'controlId' | 'sentAt'>;

function headOf({ node, header }: Bundle, trigger: string, context: FhirContext): Head {
  const sentAt =
    momentAt(node, 'timestamp', 'Bundle.timestamp', context) ??
    // STU3.
    momentAt(header.node, 'timestamp', 'MessageHeader.timestamp', context) ??
    updatedAt(header.node, 'MessageHeader', context) ??
    updatedAt(node, 'Bundle', context);
  return { trigger, controlId: messageIdOf({ node, header }) ?? '', sentAt: sentAt ?? null };
}

function mergedFacts(reading: Reading): AdtFacts[] {
  const { bundle, feed, context, trigger, contentHash } = reading;
  const pairs = mergesOf(bundle);
  if (pairs.length === 0) {
    throw new Unusable(`Neither Patient.link nor Linkage says which record number is merged. ${ASK_SENDER}`);
  }
  const facilityNames = facilityNamesOf(bundle, undefined, undefined);
  const facilityIdentifier = facilityNames.find(feed.isListed) ?? facilityNames[0] ?? '';
  return pairs.flatMap(({ survivor, prior }, index) => {
    const numbers = survivor.patient
      ? readPatient(survivor.patient.node, [], facilityIdentifier, feed.settings, context)
      : numbersOf(survivor.identifiers, facilityIdentifier, feed.settings);
    const { recordNumber, recordAuthority } = numbersOf(prior, facilityIdentifier, feed.settings);
    if (recordNumber === numbers.recordNumber && recordAuthority === numbers.recordAuthority) return [];
    const facts: AdtFacts = {
      ...headOf(bundle, trigger, context),
      recordedAt: null,
      occurredAt: null,
      facilityIdentifier,
      patient: numbers,
      visit: null,
      merge: mergeFactsOf({ value: recordNumber, authority: recordAuthority ?? null, type: null }),
      contentHash: index === 0 ? contentHash : hash('sha256', `${contentHash}\u001e${index}`, 'hex'),
    };
    return [facts];
  });
}

function reasonUndated(trigger: string): string {
  const fields = timeFieldsOf(trigger).map((field) => FHIR_FIELD_NAMES[field]);
  return `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)} hold no time that can be read, so it's unknown when the ${trigger} happened. ${ASK_SENDER}`;
}
