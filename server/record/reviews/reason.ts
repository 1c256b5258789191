/** Why two records may belong to one person, as a reviewer would say it. Pure; the texts hold no values. */
import type { ReviewField } from '#contract/reviews.ts';
import { VETOES, type VetoId } from '#server/record/scoring/vetoes.ts';
import { type Agreements, agreementsOf, isSameAddress, type Levels } from './agreement.ts';

const WORDS: Partial<Record<ReviewField, string>> = {
  family: 'last name',
  given: 'first name',
  middle: 'middle name',
  suffix: 'suffix (Jr., Sr., III)',
  birthDate: 'birth date',
  sex: 'sex',
  street: 'address',
  zip: 'ZIP code',
  phone: 'phone number',
  email: 'email',
  ssnLast4: 'last four digits of the SSN',
  medicareId: 'Medicare number (MBI)',
  memberId: 'member ID',
};

/** The field that a veto is about. If that field's own words mention the difference, the veto adds nothing. */
const FIELD_OF_VETO: Partial<Record<VetoId, ReviewField>> = {
  'birth-date-differs': 'birthDate',
  'sex-and-given-name-differ': 'sex',
  'sex-differs': 'sex',
  'given-name-differs': 'given',
  'family-name-differs': 'family',
  'generation-differs': 'suffix',
  'ssn4-differs': 'ssnLast4',
  'medicare-id-differs': 'medicareId',
};

/** What is known about a candidate besides the comparison. `isMerge`: the hospital merged the subject's record number into the candidate's. */
interface Context {
  isMerge: boolean;
}

/** Returns what agrees, what almost agrees and what differs, e.g. "Same name, birth date and ZIP code. The street differs." */
export function reasonOf(levels: Levels, vetoes: readonly VetoId[], context: Context = { isMerge: false }): string {
  const agreements = agreementsOf(levels);
  const sentences = [
    sameSentence(agreements, levels),
    ...nearSentences(agreements, levels),
    ...differences(agreements, levels),
    levels['birthDate'] === 'missing' ? 'The birth date is not recorded.' : null,
  ];
  const isMentioned = (veto: VetoId): boolean => {
    const field = FIELD_OF_VETO[veto];
    return field !== undefined && ['similar', 'different'].includes(agreements[field]);
  };
  const further = vetoes.filter((veto) => !isMentioned(veto)).map((veto) => warningOf(veto, context));
  return [...sentences, ...further].filter((sentence) => sentence !== null).join(' ');
}

/** Returns what a veto means for the reviewer. Stored evidence may have a veto of an earlier version, which is not described any more. */
export const warningOf = (veto: VetoId, { isMerge }: Context = { isMerge: false }): string =>
  isMerge && veto === 'record-number-contradicted'
    ? 'The hospital merged the two record numbers, but their names or birth dates are different.'
    : Object.hasOwn(VETOES, veto)
      ? VETOES[veto].reason
      : 'An earlier version of the matcher saw a reason for doubt.';

function sameSentence(agreements: Agreements, levels: Levels): string | null {
  const same = (field: ReviewField): boolean => agreements[field] === 'same';
  const fields: ReviewField[] = ['birthDate', 'street', 'phone', 'email', 'ssnLast4', 'medicareId', 'memberId'];
  const name = same('family') && same('given') ? ['name'] : (['family', 'given'] as const).filter(same).map(wordOf);
  // The address includes the ZIP code.
  if (same('zip') && !isSameAddress(levels)) fields.splice(same('street') ? 2 : 1, 0, 'zip');
  const nameOf = (field: ReviewField): string =>
    field === 'street' && !isSameAddress(levels) ? 'street' : wordOf(field);
  const words = [...name, ...fields.filter(same).map(nameOf)];
  return words.length === 0 ? null : `Same ${listed(words)}.`;
}

const NEAR_BIRTH_DATES: Readonly<Record<string, string>> = {
  swapped: 'The birth dates have month and day swapped.',
  part: 'The birth dates differ in the day, the month or the year.',
};

function nearGivenNames(level: string | undefined): string {
  if (level === 'nickname') return 'One first name is short for the other.';
  if (level === 'initial') return 'One record has only the initial of the first name.';
  return 'The first names are almost the same.';
}

function nearSentences({ family, given, birthDate, street }: Agreements, levels: Levels): string[] {
  const sentences: string[] = [];
  if (levels['given'] === 'swapped') sentences.push('First and last name are in each other’s place.');
  else if (levels['family'] === 'former') sentences.push('The last names differ, but a former last name matches.');
  else if (family === 'similar') sentences.push('The last names are almost the same.');
  if (given === 'similar' && levels['given'] !== 'swapped') sentences.push(nearGivenNames(levels['given']));
  if (birthDate === 'similar')
    sentences.push(NEAR_BIRTH_DATES[levels['birthDate'] ?? ''] ?? 'The birth dates differ by one digit.');
  if (street === 'similar') sentences.push('The street addresses are almost the same.');
  return sentences;
}

function differences(agreements: Agreements, levels: Levels): string[] {
  const differs = (field: ReviewField): boolean => agreements[field] === 'different';
  const sentences: string[] = [];
  if (differs('given')) sentences.push(differentFirstNames(agreements, levels));
  const others: ReviewField[] = [
    'family',
    'birthDate',
    'suffix',
    'sex',
    'ssnLast4',
    'medicareId',
    'memberId',
    'phone',
    'email',
  ];
  const words = others.filter(differs).map(wordOf);
  // A different ZIP code makes the address different, wherever the street is.
  if (differs('zip')) words.push(differs('street') ? 'address' : 'ZIP code');
  else if (differs('street')) words.push('street address');
  const isOne = words.length === 1 && words[0] !== WORDS.ssnLast4;
  if (words.length > 0) sentences.push(`The ${listed(words)} ${isOne ? 'differs' : 'differ'}.`);
  return sentences;
}

function differentFirstNames({ birthDate, phone, email }: Agreements, levels: Levels): string {
  const isContact = [phone, email].some((agreement) => agreement === 'same' || agreement === 'similar');
  if (!isSameAddress(levels) && !isContact) return 'Different first names.';
  const where = isSameAddress(levels) ? 'at the same address' : 'with the same phone number or email';
  const who = birthDate === 'same' ? 'a twin' : 'a relative';
  return `Different first names ${where}: possibly ${who}.`;
}

const wordOf = (field: ReviewField): string => WORDS[field] ?? field;

/** "a", "a and b", "a, b and c". */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
