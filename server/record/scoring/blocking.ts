import { digitsOf } from './comparison.ts';
import type { NormalisedDemographics } from './demographics.ts';

/**
 * Index keys of one record: any two records that some rule links or puts to review share at least one, so that
 * candidates are found by `key = any(…)`. Each rule needs one of: equal birth date (D), phone (P), e-mail (E), Medicare
 * id (M), member id (I), SSN4 with a form of the given name (S), ZIP5 with the digits of the street (A). Names never
 * stand alone in a key, for any letter of them may be mistyped.
 *
 * A birth date alone finds some 65 people among two million. The keys are as sensitive as the columns that they come
 * from; a hash would not change that (there are 40,000 birth dates).
 */
export function blockingKeys(person: NormalisedDemographics): string[] {
  const keys = person.phones.map((phone) => `P:${phone}`);
  if (person.birthDate !== null) keys.push(`D:${person.birthDate.replaceAll('-', '')}`);
  if (person.email !== null) keys.push(`E:${person.email}`);
  if (person.medicareId !== null) keys.push(`M:${person.medicareId}`);
  if (person.ssnLast4 !== null) keys.push(...person.givenForms.map((given) => `S:${person.ssnLast4}:${given}`));
  if (person.street !== null && person.zip !== null) keys.push(`A:${person.zip}:${digitsOf(person.street)}`);
  return keys.concat(person.memberKeys.map((memberKey) => `I:${memberKey}`));
}
