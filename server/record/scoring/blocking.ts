import { digitsOf } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';

/**
 * Returns the blocking keys of one record. Any two records that a rule links or sends to review share at least one key, so
 * candidates are found with `key = any(…)`. Every rule needs an equal birth date (D), phone (P), email (E), Medicare ID (M),
 * member ID (I), SSN4 with a form of the given name (S), or ZIP5 with the digits of the street (A). No key consists of a name
 * alone, because any letter of a name may be mistyped.
 *
 * A birth date alone finds about 65 of two million people. The keys are as sensitive as the columns they come from; hashing
 * would not change that, since there are only 40,000 birth dates.
 */
export function blockingKeys(person: NormalizedDemographics): string[] {
  const keys = person.phones.map((phone) => `P:${phone}`);
  if (person.birthDate !== null) keys.push(`D:${person.birthDate.replaceAll('-', '')}`);
  if (person.email !== null) keys.push(`E:${person.email}`);
  if (person.medicareId !== null) keys.push(`M:${person.medicareId}`);
  if (person.ssnLast4 !== null) keys.push(...person.givenForms.map((given) => `S:${person.ssnLast4}:${given}`));
  if (person.street !== null && person.zip !== null) keys.push(`A:${person.zip}:${digitsOf(person.street)}`);
  return keys.concat(person.memberKeys.map((memberKey) => `I:${memberKey}`));
}
