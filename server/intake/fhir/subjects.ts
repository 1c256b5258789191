/** Whom a message is about: the Encounter and the Patient that its header and its resources name. */
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import type { Bundle, Resource } from './bundle.ts';
import { list, text } from './json.ts';
import { Unusable } from './unreadable.ts';

/** Returns what MessageHeader.focus names. Errors: Unusable if the message doesn't have it. */
export function focusOf(bundle: Bundle): readonly Resource[] {
  return named(bundle, bundle.header, 'focus', 'MessageHeader.focus');
}

/** Returns the Encounter in focus, else the only one. Errors: Unusable if there are several. */
export function encounterOf(bundle: Bundle, focus: readonly Resource[]): Resource | undefined {
  return focus.find(({ type }) => type === 'Encounter') ?? only(bundle, 'Encounter', 'MessageHeader.focus');
}

/** Returns the Encounter's patient; without one, the patient in focus, else the only one. Errors: Unusable if there is none, or if there are several. */
export function patientOf(bundle: Bundle, focus: readonly Resource[], encounter: Resource | undefined): Resource {
  const subject = encounter && [
    ...named(bundle, encounter, 'subject', 'Encounter.subject'),
    // DSTU2.
    ...named(bundle, encounter, 'patient', 'Encounter.patient'),
  ];
  const found = [...(subject ?? []), ...focus].find(({ type }) => type === 'Patient');
  const patient = found ?? only(bundle, 'Patient', encounter ? 'Encounter.subject' : 'MessageHeader.focus');
  if (patient === undefined) throw new Unusable(`The Bundle has no Patient, so the patient is unknown. ${ASK_SENDER}`);
  return patient;
}

/** Another resource than the one that is named could be about another person. */
function named(bundle: Bundle, from: Resource, name: string, path: string): readonly Resource[] {
  const found = bundle.follow(from, name);
  const isMissing = list(from.node, name).some((reference) => text(reference, 'reference', 2000) !== undefined);
  if (found.length === 0 && isMissing) {
    throw new Unusable(`${path} refers to a resource that the Bundle doesn't have. ${ASK_SENDER}`);
  }
  return found;
}

function only(bundle: Bundle, type: string, path: string): Resource | undefined {
  const [first, second] = bundle.resources.filter((each) => each.type === type);
  if (second !== undefined)
    throw new Unusable(`${path} is empty, and the Bundle has several resources ${type}. ${ASK_SENDER}`);
  return first;
}
