import { foldAccents } from '#server/platform/text/fold-accents.ts';
import { normalizeFormerFamily, normalizeName, UNNAMED_NEWBORN } from './names.ts';
import { givenNameForms } from './nicknames.ts';
import {
  normalizeBirthDate,
  normalizeEmail,
  normalizeIdentifier,
  normalizeMedicareId,
  normalizePhone,
  normalizeSsnLast4,
  normalizeZip,
} from './normalize-values.ts';
import { normalizeStreet } from './street.ts';

/** A health plan's member number. It identifies a person only together with its payer. */
export interface MemberId {
  value: string;
  payer: string | null;
}

/** One person's demographics as received from a roster row or a message. `line1` may hold both address lines. */
export interface Demographics {
  family: string | null;
  /** Maiden names and other family names that the person has or had besides `family`. */
  formerFamilies: readonly string[];
  given: string | null;
  middle: string | null;
  suffix: string | null;
  /** YYYY-MM-DD or YYYYMMDD */
  birthDate: string | null;
  sex: string | null;
  line1: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  phones: readonly string[];
  email: string | null;
  /** Four digits, or all nine. */
  ssnLast4: string | null;
  medicareId: string | null;
  memberIds: readonly MemberId[];
}

/**
 * Demographics normalized for comparison, with derived values computed once. Normalizing again changes nothing.
 * Contains patient data: keep it out of logs.
 */
export interface NormalizedDemographics extends Demographics {
  sex: 'Male' | 'Female' | null;
  /** As one word each, like `familyWhole`, and without it. */
  formerFamilies: readonly string[];
  /** Names as a list of parts and as one word: 'SMITH JONES' is [SMITH, JONES] and SMITHJONES. */
  familyParts: readonly string[];
  familyWhole: string;
  givenParts: readonly string[];
  givenWhole: string;
  /** The given name and the formal names it may be short for; empty for a newborn without a name. */
  givenForms: readonly string[];
  street: string | null;
  /** Of the address, for a graded comparison: the first number; all other words, and those that tell streets apart. Empty for none. */
  houseNumber: string | null;
  streetWords: string;
  streetName: string;
  unit: string | null;
  /** Member numbers as 'PAYER|VALUE'. */
  memberKeys: readonly string[];
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];
const present = <T>(value: T | null): value is T => value !== null;

function normalizeSex(sex: string | null): 'Male' | 'Female' | null {
  const letter = (sex ?? '').trim().toUpperCase();
  if (letter === 'M' || letter === 'MALE') return 'Male';
  return letter === 'F' || letter === 'FEMALE' ? 'Female' : null;
}

function normalizePlace(place: string | null): string | null {
  return (
    foldAccents(place ?? '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || null
  );
}

function normalizeMemberIds(memberIds: readonly MemberId[]): MemberId[] {
  const byKey = new Map<string, MemberId>();
  for (const { value, payer } of memberIds) {
    const id = normalizeIdentifier(value);
    const from = normalizeIdentifier(payer);
    if (id !== null) byKey.set(`${from}|${id}`, { value: id, payer: from });
  }
  return [...byKey.values()];
}

/** No more former names of one person are compared and searched for: each one more is one that a stranger might have. */
const MOST_FORMER = 3;

const normalizeFormer = (names: readonly string[], current: string): string[] =>
  unique(names.map(normalizeFormerFamily).filter(present))
    .filter((name) => name !== current)
    .slice(0, MOST_FORMER);

/** Normalizes one person's demographics; placeholders and unreadable values become null. Idempotent. */
export function normalize(raw: Demographics): NormalizedDemographics {
  const name = normalizeName(raw);
  const address = normalizeStreet(raw.line1);
  const memberIds = normalizeMemberIds(raw.memberIds);
  const givenParts = name.given?.split(' ') ?? [];
  const givenWhole = givenParts.join('');
  const familyParts = name.family?.split(' ') ?? [];
  const familyWhole = familyParts.join('');
  return {
    ...name,
    birthDate: normalizeBirthDate(raw.birthDate),
    sex: normalizeSex(raw.sex),
    line1: address && (address.unit === null ? address.line : `${address.line} # ${address.unit}`),
    city: normalizePlace(raw.city),
    state: normalizePlace(raw.state),
    zip: normalizeZip(raw.zip),
    phones: unique(raw.phones.map(normalizePhone).filter(present)),
    email: normalizeEmail(raw.email),
    ssnLast4: normalizeSsnLast4(raw.ssnLast4),
    medicareId: normalizeMedicareId(raw.medicareId),
    memberIds,
    familyParts,
    familyWhole,
    formerFamilies: normalizeFormer(raw.formerFamilies, familyWhole),
    givenParts,
    givenWhole,
    givenForms: name.given === null || name.given === UNNAMED_NEWBORN ? [] : givenNameForms(givenWhole),
    street: address?.street ?? null,
    houseNumber: address?.houseNumber ?? null,
    streetWords: address?.words ?? '',
    streetName: address?.name ?? '',
    unit: address?.unit ?? null,
    memberKeys: memberIds.filter(({ payer }) => payer !== null).map(({ value, payer }) => `${payer}|${value}`),
  };
}
