import { isGivenNameInUse } from '#server/record/scoring/frequencies/name-tables.ts';
import { type Culture, drawGivenName, type Sex } from './name-pools.ts';
import type { Person } from './person.ts';
import type { Random } from './random.ts';
import { FAMILY_RATES } from './rates.ts';

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

/** Returns a name one letter apart that people have, or else one with another vowel: Jaylen and Jaylan. */
function nameOneLetterApart(random: Random, name: string): string {
  const change = (): string => {
    const at = random.between(1, name.length - 1);
    const letter = random.pick('AEIOULNRSTY'.split(''));
    const rest = random.chance(0.3) ? at : at + 1;
    return name.slice(0, at) + letter + name.slice(rest);
  };
  for (let attempt = 0; attempt < 40; attempt++) {
    const changed = change();
    if (changed !== name && isGivenNameInUse(changed)) return changed;
  }
  const vowel = /[AEIOU](?=[A-Z]$)/.exec(name)?.[0];
  return vowel === undefined ? change() : name.replace(/[AEIOU](?=[A-Z]$)/, vowel === 'A' ? 'E' : 'A');
}
