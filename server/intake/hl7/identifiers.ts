/**
 * Identifiers of a patient: PID-2, PID-3, PID-4 and MRG-1 (CX; HL7 v2.5.1, 2.A.14, and the older CK and ST).
 */
import type { Identifier } from './adt-facts.ts';
import type { FeedSettings } from './feed-settings.ts';
import { designatorOf, textOf } from './field-values.ts';
import type { Segment } from './message.ts';

/** CX-3: schemes of check digits (table 0061). Any other text there is an authority, as HL7 v2.2 and some vendors have it. */
const CHECK_DIGIT_SCHEMES = new Set(['M10', 'M11', 'ISO', 'NPI', 'BCV', 'UPIN', 'MOD10', 'MOD11']);
/** Types of table 0203 that name something other than a record number. */
const NOT_A_RECORD = new Set(
  'SS SSN MC MA MB MCD SN HC DL PPN PP NI NPI AN VN XX AM CZ PRC BA NIIP TAX EN PHC NHSNMBR'.split(' '),
);
const MEMBER_TYPES = new Set(['MA', 'MB', 'SN', 'HC']);
/** CMS: eleven characters, letters without S, L, O, I, B and Z. */
const MEDICARE_ID =
  /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y]{2}\d{2}$/;

/** The identifiers of a field, in order; deleted and empty ones are left out. */
export function readIdentifiers(segment: Segment, field: number): Identifier[] {
  return segment.repetitions(field).flatMap((_, repetition) => readIdentifier(segment, field, repetition) ?? []);
}

function readIdentifier(segment: Segment, field: number, repetition: number): Identifier | null {
  const value = textOf(segment, field, 1, repetition);
  if (value == null) return null;
  const scheme = designatorOf(segment, field, 3, repetition);
  const older = scheme !== null && !CHECK_DIGIT_SCHEMES.has(scheme.toUpperCase()) ? scheme : null;
  const assigning = designatorOf(segment, field, 4, repetition);
  const facility = designatorOf(segment, field, 6, repetition);
  const type = textOf(segment, field, 5, repetition) ?? null;
  // id^digit^authority^type: everything one place to the left.
  if (older !== null && type === null && assigning !== null) return { value, authority: older, type: assigning };
  return { value, authority: assigning ?? older ?? facility, type };
}

/**
 * The one that the facility files the patient under: by the feed's authority, then by type, else the first that may be it. Of several
 * hospitals' numbers of one type it is that of `facility` (as the feed calls it), in whatever order they stand.
 */
export function chooseRecordNumber(
  identifiers: readonly Identifier[],
  { authority, types }: FeedSettings['recordNumber'],
  facility: string,
): Identifier | null {
  const byAuthority = authority === null ? [] : identifiers.filter((id) => same(id.authority, authority));
  const candidates =
    byAuthority.length > 0 ? byAuthority : identifiers.filter((id) => !NOT_A_RECORD.has(upper(id.type)));
  const type = types.find((each) => candidates.some((id) => upper(id.type) === each));
  const ofType = type === undefined ? candidates : candidates.filter((id) => upper(id.type) === type);
  return ofType.find((id) => type !== undefined && same(id.authority, facility)) ?? ofType[0] ?? null;
}

/** What senders write in place of a number that nobody has given yet. */
export const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(
  'UNKNOWN UNK NONE NULL N/A NA TBD PENDING NEW TEMP'.split(' '),
);

/** Whether a value stands where no record number is known: under it are many patients, of whom the last one would get the visits of all. */
export function isPlaceholder({ value }: Identifier): boolean {
  return PLACEHOLDER_WORDS.has(value.toUpperCase()) || /^(0+|9{5,}|X+|[^\p{L}\p{N}]+)$/iu.test(value);
}

/** Whether a value is a social security number: by its type, its authority, its dashes, or because PID-19 has the
 * same digits (old Medicare numbers were one with a letter behind). */
export function isSocialSecurityNumber({ value, type, authority }: Identifier, ssn: string | null): boolean {
  if (/^SSN?$/.test(upper(type)) || /^(US)?SSA$/.test(upper(authority))) return true;
  return /^\d{3}-\d{2}-\d{4}$/.test(value) || (ssn !== null && value.replace(/\D/g, '') === ssn);
}

/** The nine digits of a social security number, to compare with and never to keep; null where it is masked or a placeholder. */
export function ssnDigits(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(digits) && !/^(\d)\1{8}$/.test(digits) ? digits : null;
}

/** The last four digits of a social security number that may be masked; null where there are none to rely on. */
export function ssnLast4(text: string): string | null {
  const complete = ssnDigits(text);
  if (complete !== null) return complete.slice(-4);
  const masked = /^[Xx*#\s-]*(\d{4})$/.exec(text.trim())?.[1];
  return masked === undefined || masked === '0000' || masked === '9999' ? null : masked;
}

/** A Medicare beneficiary identifier without dashes, or null. */
export function medicareIdOf(text: string): string | null {
  const id = text.replace(/[\s-]/g, '').toUpperCase();
  return MEDICARE_ID.test(id) ? id : null;
}

/** Identifiers that a health plan gave. */
export function isMemberId(identifier: Identifier): boolean {
  return MEMBER_TYPES.has(upper(identifier.type));
}

/** Each identifier once. */
export function distinct(identifiers: readonly Identifier[]): Identifier[] {
  const byKey = new Map(identifiers.map((id) => [JSON.stringify([id.value, id.authority, id.type]), id]));
  return [...byKey.values()];
}

function upper(text: string | null): string {
  return (text ?? '').toUpperCase();
}

function same(one: string | null, other: string): boolean {
  return upper(one) === other.toUpperCase();
}
