import { givenNameTable } from '#server/platform/name-frequencies/name-tables.ts';
import { type Culture, drawGivenName, type Sex } from './name-pools.ts';
import type { Person } from './person.ts';
import { type Random, Weighted } from './random.ts';
import { FAMILY_RATES } from './rates.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/**
 * Returns a given name for the twin of a person, never the same one. If it has a second name, as in Maria Elena and Maria Fernanda, the
 * person gets one too.
 */
export function drawTwinsName(random: Random, culture: Culture | null, first: Person, sex: Sex): string {
  const { oneLetterApart, sameInitial, sameGivenOtherSecond } = FAMILY_RATES.twinNames;
  const year = Number(first.birthDate.slice(0, 4));
  const draw = (): string => drawGivenName(random, culture, sex, year);
  const choice = random.next();
  let given = draw();
  if (choice < oneLetterApart) given = nameOneLetterApart(random, first.given);
  else if (choice < oneLetterApart + sameInitial) {
    for (let attempt = 0; given[0] !== first.given[0] && attempt < 40; attempt++) given = draw();
  } else if (choice > 1 - sameGivenOtherSecond && sex === first.sex) {
    const [name = ''] = first.given.split(' ');
    if (!first.given.includes(' ')) first.given = `${name} ${first.middle ?? draw()}`;
    first.middle = null;
    given = `${name} ${given}`;
  }
  while (given === first.given) given = draw();
  return given;
}

/**
 * Returns a name one letter apart that people have, as Jaylan for Jaylen and Marie for Maria: a frequent one more often than a rare one, which
 * may be a slip of the pen in the table. Some names have none, and stay as they are.
 */
function nameOneLetterApart(random: Random, name: string): string {
  const table = givenNameTable();
  const apart = new Map<string, number>();
  for (let at = 1; at <= name.length; at++) {
    for (const letter of LETTERS) {
      for (const changed of [
        name.slice(0, at) + letter + name.slice(at + 1),
        name.slice(0, at) + letter + name.slice(at),
      ]) {
        const share = table.get(changed);
        if (share !== undefined && changed !== name) apart.set(changed, share);
      }
    }
  }
  return apart.size === 0 ? name : new Weighted(apart).draw(random);
}
