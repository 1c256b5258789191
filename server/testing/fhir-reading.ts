/** Reads FHIR messages for tests. */
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { readFhir } from '#server/intake/fhir/read-fhir.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { type FhirParts, fhirMessage } from './fhir.ts';

const person = { family: 'Ostrander', given: 'Mirela', birthDate: '1951-04-07', sex: 'F', zip: '10021' } as const;
export const START = '2026-11-20T09:00:00-05:00';
export const END = '2026-11-22T11:30:00-05:00';

/** Returns a message about one person. */
export const bundle = (parts: Partial<FhirParts> = {}) =>
  fhirMessage({ event: 'notification-admit', at: START, person, facility: 'FGH', ...parts });

const reading = (message: object | string, settings: Partial<FeedSettings> = {}, listed: string[] = []) =>
  readFhir(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), {
    settings: { ...DEFAULT_FEED_SETTINGS, ...settings },
    isListed: (name) => listed.includes(name),
  });

/** Returns the first facts of a message, with the warnings. */
export function read(message: object, settings: Partial<FeedSettings> = {}, listed: string[] = []) {
  const result = reading(message, settings, listed);
  if (result.kind !== 'facts') throw new Error(result.reason);
  return { ...(result.facts[0] as AdtFacts), warnings: result.warnings };
}
/** Returns what became of a message that gives no facts, and why. */
export const reasonOf = (message: object | string) => {
  const result = reading(message);
  return result.kind === 'facts' ? 'facts' : `${result.kind}: ${result.reason}`;
};

/** Returns a CodeableConcept. */
export const concept = (code: string, system = '', display = '') => ({ coding: [{ code, system, display }] });
