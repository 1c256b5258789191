import { soundex } from '#server/platform/text/soundex.ts';
import type { NormalizedDemographics } from './demographics.ts';

/**
 * Returns the blocking keys of one record: who shares a key is compared. The index stores them as numbers (`key-hashes.ts`). By birth date (D), phone (P), email (E), Medicare
 * ID (M), member ID (I), SSN4 with a form of the given name (S), ZIP5 with the house number (A), the sounds of both names with the year
 * of birth (Y) or ZIP5 (Z), the sounds of family name and street with the house number (H) or ZIP5 (G), and the full name in any order (N), for
 * records whose birth date and ZIP code are both wrong or absent. A former family name has the keys of a present one (G, H, N, Y and Z).
 *
 * A birth date alone finds about 65 of two million people. The keys are as sensitive as the columns they come from, also as
 * numbers: there are only 40,000 birth dates.
 */
export function blockingKeys(person: NormalizedDemographics): string[] {
  const { birthDate, zip, houseNumber, ssnLast4 } = person;
  const keys = person.phones.map((phone) => `P:${phone}`);
  if (birthDate !== null) keys.push(`D:${birthDate.replaceAll('-', '')}`);
  if (person.email !== null) keys.push(`E:${person.email}`);
  if (person.medicareId !== null) keys.push(`M:${person.medicareId}`);
  if (ssnLast4 !== null) keys.push(...person.givenForms.map((given) => `S:${ssnLast4}:${given}`));
  if (houseNumber !== null && zip !== null) keys.push(`A:${zip}:${houseNumber}`);
  keys.push(...person.memberKeys.map((memberKey) => `I:${memberKey}`));
  if (person.familyWhole !== '') keys.push(...keysOfFamily(person, person.familyWhole));
  if (person.formerFamilies.length === 0) return keys;
  // Two names may sound the same.
  return [...new Set(keys.concat(person.formerFamilies.flatMap((family) => keysOfFamily(person, family))))];
}

function keysOfFamily(person: NormalizedDemographics, family: string): string[] {
  const { birthDate, zip, houseNumber, streetName, givenForms, givenWhole } = person;
  const keys: string[] = [];
  if (houseNumber !== null && streetName !== '')
    keys.push(`H:${houseNumber}:${soundex(streetName)}:${soundex(family)}`);
  if (zip !== null && streetName !== '') keys.push(`G:${zip}:${soundex(streetName)}:${soundex(family)}`);
  if (givenForms.length === 0 || givenWhole.length < 2) return keys;
  // In an order that doesn't depend on which field a name is in.
  const sounds = [soundex(givenWhole), soundex(family)].toSorted().join('');
  if (birthDate !== null) keys.push(`Y:${birthDate.slice(0, 4)}:${sounds}`);
  if (zip !== null) keys.push(`Z:${zip}:${sounds}`);
  keys.push(`N:${[givenWhole, family].toSorted().join(':')}`);
  return keys;
}
