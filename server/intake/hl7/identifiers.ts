/** Identifiers of patients, accounts and visits (CX; HL7 v2.5.1, 2.A.14, and the older CK and ST). */

import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Identifier } from './adt-facts.ts';
import { designatorOf, textOf } from './field-values.ts';
import type { Segment } from './message.ts';

/** CX-3: check digit schemes (table 0061). Any other text there is an authority, as in HL7 v2.2 and from some vendors. */
const CHECK_DIGIT_SCHEMES = new Set(['M10', 'M11', 'ISO', 'NPI', 'BCV', 'UPIN', 'MOD10', 'MOD11']);
/** Types from table 0203 that can't be a record number. */
const NOT_A_RECORD = new Set(
  'SS SSN MC MA MB MCD SN HC DL PPN PP NI NPI AN VN XX AM CZ PRC BA NIIP TAX EN PHC NHSNMBR'.split(' '),
);
const MEMBER_TYPES = new Set(['MA', 'MB', 'SN', 'HC']);
/** The CMS format: eleven characters, no letters S, L, O, I, B or Z. */
const MEDICARE_ID =
  /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y]{2}\d{2}$/;

/** Returns the identifiers of a field in order, without deleted and empty ones. */
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
  // id^digit^authority^type: each part is one component further left.
  if (older !== null && type === null && assigning !== null) return { value, authority: older, type: assigning };
  return { value, authority: assigning ?? older ?? facility, type };
}

/**
 * Returns the identifiers that can be the record number, the one that is first: those of the feed's authority, else those whose type
 * doesn't rule it out, and of these only those of the best type. Among several of one type, those issued by `facility` (the feed's
 * identifier) come first. Identifiers of one authority keep their order.
 */
export function recordNumbersAmong(
  identifiers: readonly Identifier[],
  { authority, types }: FeedSettings['recordNumber'],
  facility: string,
): Identifier[] {
  const byAuthority = authority === null ? [] : identifiers.filter((id) => same(id.authority, authority));
  const candidates =
    byAuthority.length > 0 ? byAuthority : identifiers.filter((id) => !NOT_A_RECORD.has(upper(id.type)));
  const type = types.find((each) => candidates.some((id) => upper(id.type) === each));
  if (type === undefined) return candidates;
  const ofType = candidates.filter((id) => upper(id.type) === type);
  const isOwn = (id: Identifier): boolean => same(id.authority, facility);
  return [...ofType.filter(isOwn), ...ofType.filter((id) => !isOwn(id))];
}

/** What senders write instead of a number that hasn't been assigned yet. */
export const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(
  'UNKNOWN UNK NONE NULL N/A NA TBD PENDING NEW TEMP'.split(' '),
);

/** Returns whether a value is a placeholder. Many patients share it, so it would put all of their visits on one of them. */
export function isPlaceholder({ value }: Identifier): boolean {
  return PLACEHOLDER_WORDS.has(value.toUpperCase()) || /^(0+|9{5,}|X+|[^\p{L}\p{N}]+)$/iu.test(value);
}

/** Authorities of Social Security numbers; the last one is the OID of the Social Security Administration. */
const SSN_AUTHORITY = /^((US)?SSA|SSN|2\.16\.840\.1\.113883\.4\.1)$/;
/** With its separators, or all but the last four digits masked. */
const SSN_FORM = /^(\d{3}|[X*#]{3})([-. ])(\d{2}|[X*#]{2})\2\d{4}$/i;
const MASKED_SSN = /^[X*#]{5}\d{4}$/i;
/** With the word for it. */
const NAMED_SSN = /^P?SSN[\s:#-]*\d{3}-?\d{2}-?\d{4}$/i;

/** Returns whether type, authority or form says that an identifier is a Social Security number. */
function isMarkedAsSsn({ value, type, authority }: Identifier): boolean {
  if (/^SSN?$/.test(upper(type)) || SSN_AUTHORITY.test(upper(authority))) return true;
  return [SSN_FORM, MASKED_SSN, NAMED_SSN].some((form) => form.test(value));
}

/**
 * Medicare numbers before 2020: the Social Security number of the person who paid in, with a letter and sometimes another character after
 * it; of railroad workers, with letters before it. The areas 000, 666 and 9xx were never assigned.
 */
const CLAIM_NUMBER =
  /^((?!000|666|9)\d{3}-?(?!00)\d{2}-?(?!0000)\d{4}-?[A-Z][A-Z\d]?|(A|CA|H|JA|MA|MH|PA|PD|PH|WA|WC[ADH]|WD|WH)-?(?!000|666|9)\d{3}-?\d{2}-?\d{4})$/i;
const CLAIM_TYPES = new Set(['MC', 'MCR', 'MB', 'HIC', 'HICN', 'HC', 'SN']);

/**
 * Returns whether an identifier is a Social Security number, an old Medicare number that contains one, or has the digits of one of `known`
 * (`knownSsns`).
 */
export function isSocialSecurityNumber(identifier: Identifier, known: ReadonlySet<string>): boolean {
  const { value, type } = identifier;
  if (isMarkedAsSsn(identifier) || known.has(value.replace(/\D/g, ''))) return true;
  return CLAIM_TYPES.has(upper(type)) && CLAIM_NUMBER.test(value);
}

/** Returns the digits of the Social Security numbers that a PID holds: PID-19, and identifiers marked as such. Only to compare with. */
export function knownSsns(pid: Segment): ReadonlySet<string> {
  const identifiers = [3, 2, 4].flatMap((field) => readIdentifiers(pid, field));
  return ssnsAmong([...identifiers, { value: pid.component(19), authority: null, type: 'SS' }]);
}

/** Returns the digits of the Social Security numbers among identifiers. Only to compare with. */
export function ssnsAmong(identifiers: readonly Identifier[]): ReadonlySet<string> {
  return new Set(identifiers.filter(isMarkedAsSsn).flatMap(({ value }) => ssnDigits(value) ?? []));
}

/** Returns the member IDs of an insurance (IN1-36, then IN1-49) that are no Social Security numbers. */
export function readMemberIds(in1: Segment, known: ReadonlySet<string>): Identifier[] {
  return [36, 49]
    .flatMap((field) => readIdentifiers(in1, field))
    .filter((id) => !isSocialSecurityNumber(id, known) && !CLAIM_NUMBER.test(id.value));
}

/** Returns the nine digits of a Social Security number, only to compare with, never to store; null if masked or a placeholder. */
function ssnDigits(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d{9}$/.test(digits) && !/^(\d)\1{8}$/.test(digits) ? digits : null;
}

/** Returns the last four digits of a Social Security number, masked or not; null if they can't be relied on. */
export function ssnLast4(text: string): string | null {
  const complete = ssnDigits(text);
  if (complete !== null) return complete.slice(-4);
  const masked = /^[Xx*#\s-]*(\d{4})$/.exec(text.trim())?.[1];
  return masked === undefined || masked === '0000' || masked === '9999' ? null : masked;
}

/** Returns a Medicare beneficiary identifier without dashes, or null. */
export function medicareIdOf(text: string): string | null {
  const id = text.replace(/[\s-]/g, '').toUpperCase();
  return MEDICARE_ID.test(id) ? id : null;
}

/** Returns whether a health plan issued the identifier. */
export function isMemberId(identifier: Identifier): boolean {
  return MEMBER_TYPES.has(upper(identifier.type));
}

/** Returns the identifiers without repeats. */
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
