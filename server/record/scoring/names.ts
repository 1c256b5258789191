/** Normalizes names for comparison, to upper-case A to Z and the letters of other scripts. */
import { foldAccents } from '#server/platform/text/fold-accents.ts';

const PLACEHOLDERS = new Set(
  `UNKNOWN UNK UNKN UNKNOWNPATIENT TEST TESTER TESTING TESTPATIENT PATIENT PATIENTTEST ZZTEST ZZZTEST NA NONE NULL NFN NLN NMN NMI
   MALE FEMALE DISASTER EMERGENCY
   NOTGIVEN NOTPROVIDED NOTAVAILABLE UNIDENTIFIED ANONYMOUS DECLINED REFUSED TRAUMA NONAME NOLASTNAME NOFIRSTNAME`.split(
    /\s+/,
  ),
);
/**
 * Newborns are named after their mother until they have a name (Joint Commission, NPSG.01.01.01: "Wendysgirl", and "1Wendysgirl" and
 * "2Wendysgirl" for twins).
 */
const NAMED_AFTER_MOTHER = /^\p{L}{2,}S(?:BOY|GIRL)[A-D]?$/u;
/** No word here begins another one, so that there is one way to read a name: BABYBOY as its own word next to BABY and BOY never ended. */
const NEWBORN = /^(BABY|NEWBORN|NB|INFANT|TWIN|TRIPLET|BOY|GIRL)+[A-D]?$/;
/** Begins a newborn's name: "Girl1 Wendy", "Babyboy of Maria". */
const CHILD = /^(?:BABY|NEWBORN|INFANT)?(?:BOY|GIRL)$/;
const TITLES = new Set(['MR', 'MRS', 'MS', 'MISS', 'DR', 'REV', 'SISTER', 'FATHER']);
const PARTICLES = new Set(
  `DE LA LAS LOS DEL DELLA DI DA DOS DU LE VAN VON DER DEN TER ST SAINT MC MAC O AL EL BIN ABU SAN`.split(' '),
);
// biome-ignore format: a table
const GENERATIONS = new Map(Object.entries({
  SR: 'SR', SENIOR: 'SR', I: 'SR', '1ST': 'SR',
  JR: 'JR', JUNIOR: 'JR', II: 'JR', '2ND': 'JR',
  III: 'III', '3RD': 'III', IV: 'IV', '4TH': 'IV', V: 'V', '5TH': 'V',
}));
/** Within a name, `V` and `I` may be initials; they count as a generation only in the suffix field. */
const isGenerationInName = (token: string): boolean => GENERATIONS.has(token) && token !== 'I' && token !== 'V';

/** Replaces the placeholder names of newborns ('BABY BOY', 'TWIN A'). It never agrees with any other name. */
export const UNNAMED_NEWBORN = 'NEWBORN';

/** Most names, of which nothing has to be left out. */
const ONE_WORD = /^[A-Za-z]+$/;

/**
 * Splits a name into words. Apostrophes are dropped (O'SHEA becomes OSHEA); every other mark separates words. Digits are
 * dropped except in generations such as 2ND: real names have none, and synthetic records number their names (Curt84).
 */
function tokenize(text: string | null): string[] {
  if (text !== null && ONE_WORD.test(text)) return [text.toUpperCase()];
  const spaced = foldAccents(text ?? '')
    .replace(/^\s*N\/A\s*$/, '')
    .replace(/['’‘ʼ`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const tokens = spaced.split(' ').map((token) => (GENERATIONS.has(token) ? token : token.replace(/\p{N}/gu, '')));
  return tokens.filter((token) => token !== '');
}

/** Joins particles to the name that follows: `VAN DER BERG` is one part, `GARCIA LOPEZ` is two. */
function joinParticles(tokens: string[]): string[] {
  const parts: string[] = [];
  let pending = '';
  for (const [index, token] of tokens.entries()) {
    pending += token;
    const isParticle = PARTICLES.has(token) || PARTICLES.has(pending);
    if (isParticle && index < tokens.length - 1) continue;
    parts.push(pending);
    pending = '';
  }
  return parts;
}

/** Removes generations and single letters from the end of a name, in place, and returns the leftmost of each. */
function takeTrailing(tokens: string[]): { generation: string | null; initial: string | null } {
  let generation: string | null = null;
  let initial: string | null = null;
  while (tokens.length > 1) {
    const last = tokens.at(-1) ?? '';
    if (isGenerationInName(last)) generation = GENERATIONS.get(last) ?? null;
    else if (last.length === 1) initial = last;
    else break;
    tokens.pop();
  }
  for (const [index, token] of tokens.entries())
    if (GENERATIONS.has(token)) tokens[index] = token.replace(/\p{N}/gu, '');
  return { generation, initial };
}

/** Patients without papers are registered as "Xxtrauma, Juliet" or "Trauma, Delta": neither part is a name. */
const isUnidentified = (family: string): boolean =>
  /^(?:XX|ZZ)/.test(family) || family.includes('TRAUMA') || UNIDENTIFIED.has(family);
const UNIDENTIFIED = new Set(['UNIDENTIFIED', 'DISASTER', 'EMERGENCY']);

const isPlaceholder = (whole: string): boolean => PLACEHOLDERS.has(whole) || /^(.)\1{2,}$/u.test(whole);

export interface NormalizedName {
  /** Parts separated by single spaces, or null if there is no usable name. */
  family: string | null;
  given: string | null;
  middle: string | null;
  /** SR, JR (which includes II), III, IV or V. */
  suffix: string | null;
}

/** Normalizes one person's names. Finds the generation and the middle initial even if they were typed into another field. */
export function normalizeName(name: NormalizedName): NormalizedName {
  const family = tokenize(name.family);
  const given = tokenize(name.given);
  const inFamily = takeTrailing(family);
  const inGiven = takeTrailing(given);
  while (given.length > 1 && TITLES.has(given[0] ?? '')) given.shift();
  const middle =
    tokenize(name.middle)
      .filter((token) => !isGenerationInName(token))
      .join(' ') || inGiven.initial;
  const inSuffix = tokenize(name.suffix).find((token) => GENERATIONS.has(token));
  return {
    ...realNames(joinParticles(family).join(' '), given),
    middle: middle !== null && isPlaceholder(middle.replaceAll(' ', '')) ? null : middle,
    suffix: (inSuffix && GENERATIONS.get(inSuffix)) ?? inFamily.generation ?? inGiven.generation,
  };
}

/**
 * Returns which part of a name stands for no one, so that a hospital's records aren't linked by it: a placeholder such as UNKNOWN or TEST; a
 * family name that hospitals give to patients without papers (ZZ…, XX…, TRAUMA, John Doe); the given name of a newborn without one (Joint
 * Commission, NPSG.01.01.01). Null for a name that is one, or is empty.
 */
export function placeholderOf(name: NormalizedName): 'family' | 'given' | null {
  const { family, given } = normalizeName(name);
  if (family === null && name.family) return 'family';
  return (given === null || given === UNNAMED_NEWBORN) && name.given ? 'given' : null;
}

/**
 * Returns a family name as one word, or null if it is none. DOE is none, whatever the given name: patients who came without papers have
 * it as an alias afterward.
 */
export const normalizeFormerFamily = (family: string): string | null =>
  normalizeName({ family, given: 'JANE', middle: null, suffix: null }).family?.replaceAll(' ', '') ?? null;

function realNames(family: string, givenTokens: string[]): { family: string | null; given: string | null } {
  const familyWhole = family.replaceAll(' ', '');
  const givenWhole = givenTokens.join('');
  const isDoe = familyWhole === 'DOE' && (givenWhole === 'JOHN' || givenWhole === 'JANE');
  if (isDoe || isUnidentified(familyWhole)) return { family: null, given: null };
  const isNewborn = NEWBORN.test(givenWhole) || NAMED_AFTER_MOTHER.test(givenWhole) || CHILD.test(givenTokens[0] ?? '');
  const given = isNewborn ? UNNAMED_NEWBORN : givenTokens.join(' ');
  return {
    family: family === '' || isPlaceholder(familyWhole) ? null : family,
    given: given === '' || isPlaceholder(givenWhole) ? null : given,
  };
}
