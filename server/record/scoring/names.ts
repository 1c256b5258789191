/** How the names of people are made comparable. Pure text in, upper-case A to Z (and other scripts' letters) out. */
import { foldAccents } from '#server/platform/text/fold-accents.ts';

const PLACEHOLDERS = new Set(
  `UNKNOWN UNK UNKN UNKNOWNPATIENT TEST TESTER TESTING TESTPATIENT PATIENT PATIENTTEST ZZTEST ZZZTEST NA NONE NULL NFN NLN NMN NMI
   NOTGIVEN NOTPROVIDED NOTAVAILABLE UNIDENTIFIED ANONYMOUS DECLINED REFUSED TRAUMA NONAME NOLASTNAME NOFIRSTNAME`.split(
    /\s+/,
  ),
);
const NEWBORN = /^(BABY|NEWBORN|NB|INFANT|TWIN|TRIPLET|BABYBOY|BABYGIRL|BOY|GIRL|BOYBABY|GIRLBABY)+[A-D]?$/;
const TITLES = new Set(['MR', 'MRS', 'MS', 'MISS', 'DR', 'REV', 'SISTER', 'FATHER']);
const PARTICLES = new Set(
  `DE LA LAS LOS DEL DELLA DI DA DOS DU LE VAN VON DER DEN TER ST SAINT MC MAC O AL EL BIN ABU SAN`.split(' '),
);
// biome-ignore format: a table
const GENERATIONS: Record<string, string> = {
  SR: 'SR', SENIOR: 'SR', I: 'SR', '1ST': 'SR',
  JR: 'JR', JUNIOR: 'JR', II: 'JR', '2ND': 'JR',
  III: 'III', '3RD': 'III', IV: 'IV', '4TH': 'IV', V: 'V', '5TH': 'V',
};
/** Inside a name only what cannot be an initial; `V` and `I` count as a generation in the suffix field alone. */
const isGenerationInName = (token: string): boolean => token in GENERATIONS && !['I', 'V'].includes(token);

/** A stand-in for the given name of a child that has none yet ('BABY BOY', 'TWIN A'). It never agrees with anything. */
export const UNNAMED_NEWBORN = 'NEWBORN';

/**
 * Apostrophes join (O'SHEA is OSHEA); every other mark separates. Synthetic records number their names (Curt84) and no
 * person's name has a digit, so digits go, except in 2ND and its like.
 */
function tokenise(text: string | null): string[] {
  const spaced = foldAccents(text ?? '')
    .replace(/^\s*N\/A\s*$/, '')
    .replace(/['’‘ʼ`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const tokens = spaced.split(' ').map((token) => (token in GENERATIONS ? token : token.replace(/\p{N}/gu, '')));
  return tokens.filter((token) => token !== '');
}

/** `VAN DER BERG` is one part, `GARCIA LOPEZ` two. */
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

/** Takes generation marks and single letters off the end of a name, in place: the leftmost of each. */
function takeTrailing(tokens: string[]): { generation: string | null; initial: string | null } {
  let generation: string | null = null;
  let initial: string | null = null;
  while (tokens.length > 1) {
    const last = tokens.at(-1) ?? '';
    if (isGenerationInName(last)) generation = GENERATIONS[last] ?? null;
    else if (last.length === 1) initial = last;
    else break;
    tokens.pop();
  }
  for (const [index, token] of tokens.entries()) tokens[index] = token.replace(/\p{N}/gu, '');
  return { generation, initial };
}

const isPlaceholder = (whole: string): boolean => PLACEHOLDERS.has(whole) || /^(.)\1{2,}$/u.test(whole);

export interface NormalisedName {
  /** Parts separated by one blank, or null where there is no usable name. */
  family: string | null;
  given: string | null;
  middle: string | null;
  /** SR, JR (also II), III, IV, V. */
  suffix: string | null;
}

/** Names of one person; generation marks and a middle initial are found also where they were typed into another field. */
export function normaliseName(name: NormalisedName): NormalisedName {
  const family = tokenise(name.family);
  const given = tokenise(name.given);
  const inFamily = takeTrailing(family);
  const inGiven = takeTrailing(given);
  while (given.length > 1 && TITLES.has(given[0] ?? '')) given.shift();
  const middle =
    tokenise(name.middle)
      .filter((token) => !isGenerationInName(token))
      .join(' ') || inGiven.initial;
  const inSuffix = tokenise(name.suffix).find((token) => token in GENERATIONS);
  return {
    ...realNames(joinParticles(family).join(' '), given),
    middle: middle !== null && isPlaceholder(middle.replaceAll(' ', '')) ? null : middle,
    suffix: (inSuffix && GENERATIONS[inSuffix]) ?? inFamily.generation ?? inGiven.generation,
  };
}

function realNames(family: string, givenTokens: string[]): { family: string | null; given: string | null } {
  const familyWhole = family.replaceAll(' ', '');
  const givenWhole = givenTokens.join('');
  if (familyWhole === 'DOE' && (givenWhole === 'JOHN' || givenWhole === 'JANE')) return { family: null, given: null };
  const given = NEWBORN.test(givenWhole) ? UNNAMED_NEWBORN : givenTokens.join(' ');
  return {
    family: family === '' || isPlaceholder(familyWhole) ? null : family,
    given: given === '' || isPlaceholder(givenWhole) ? null : given,
  };
}
