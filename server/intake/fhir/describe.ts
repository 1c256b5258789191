/** What is asked of a message before it is stored: whether it is one, and by what its sender knows it. */
import type { FhirEvent } from '#contract/fhir.ts';
import { bundleOf, messageIdOf } from './bundle.ts';
import { codesOf, identifiersOf } from './codes.ts';
import { type Node, parseObject, text } from './json.ts';
import { NoMessage, Unusable } from './unreadable.ts';

/** A message, or why the bytes are none. */
export type FhirDescription =
  | {
      /** MessageHeader.id, which the answer names; null if the sender gave none. */
      messageId: string | null;
      /** MessageHeader.event[x] as sent, which the answer repeats. */
      event: FhirEvent;
      /** Keeps the messages of one patient in order. */
      patientKey: string;
    }
  | { refusal: { message: string; expression: string | null } };

/** What a thread is asked. */
export interface FhirTask {
  kind: 'fhir';
  bytes: Uint8Array;
}

export function describeFhir({ bytes }: Pick<FhirTask, 'bytes'>): FhirDescription {
  try {
    const bundle = bundleOf(parseObject(bytes));
    const patient = bundle.resources.find(({ type }) => type === 'Patient')?.node;
    return {
      messageId: ifUsable(() => messageIdOf(bundle)) ?? null,
      event: ifUsable(() => eventIn(bundle.header.node)) ?? {},
      patientKey: ifUsable(() => identifiersOf(patient)[0]?.value) ?? '',
    };
  } catch (error) {
    if (!(error instanceof NoMessage)) throw error;
    const { message, expression } = error;
    return { refusal: { message, expression } };
  }
}

function eventIn(header: Node): FhirEvent {
  const [coding] = [...codesOf(header, 'eventCoding'), ...codesOf(header, 'event')];
  if (coding) return { eventCoding: { ...(coding.system && { system: coding.system }), code: coding.code } };
  const eventUri = text(header, 'eventUri');
  return eventUri === undefined ? {} : { eventUri };
}

/** What can't be used is stored like any other message, and its reason is found when it is read. */
function ifUsable<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof Unusable) return null;
    throw error;
  }
}
