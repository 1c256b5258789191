import { foldAccents } from '#server/platform/text/fold-accents.ts';
import {
  normaliseBirthDate,
  normaliseEmail,
  normaliseIdentifier,
  normaliseMedicareId,
  normalisePhone,
  normaliseSsnLast4,
  normaliseZip,
} from './contact-numbers.ts';
import { normaliseName, UNNAMED_NEWBORN } from './names.ts';
import { givenNameForms } from './nicknames.ts';
import { normaliseStreet } from './street.ts';

/** A health plan's member number; without its payer it identifies nobody. */
export interface MemberId {
  value: string;
  payer: string | null;
}

/** One person as a roster row or a message describes him or her, uncleaned. `line1` may hold both address lines. */
export interface Demographics {
  family: string | null;
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
  /** Four digits; nine are cut to four. */
  ssnLast4: string | null;
  medicareId: string | null;
  memberIds: readonly MemberId[];
}

/**
 * Demographics in comparable form, with what comparing needs computed once. Normalising it again changes nothing.
 * It holds patient data: keep it out of logs.
 */
export interface NormalisedDemographics extends Demographics {
  sex: 'Male' | 'Female' | null;
  /** The names as lists of parts and as one word: 'SMITH JONES' is [SMITH, JONES] and SMITHJONES. */
  familyParts: readonly string[];
  familyWhole: string;
  givenParts: readonly string[];
  givenWhole: string;
  /** The given name and the formal names it may be short for; empty for a child without a name. */
  givenForms: readonly string[];
  street: string | null;
  unit: string | null;
  /** Member numbers as 'PAYER|VALUE'. */
  memberKeys: readonly string[];
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];
const present = <T>(value: T | null): value is T => value !== null;

function normaliseSex(sex: string | null): 'Male' | 'Female' | null {
  const letter = (sex ?? '').trim().toUpperCase();
  if (letter === 'M' || letter === 'MALE') return 'Male';
  return letter === 'F' || letter === 'FEMALE' ? 'Female' : null;
}

function normalisePlace(place: string | null): string | null {
  return (
    foldAccents(place ?? '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || null
  );
}

function normaliseMemberIds(memberIds: readonly MemberId[]): MemberId[] {
  const byKey = new Map<string, MemberId>();
  for (const { value, payer } of memberIds) {
    const id = normaliseIdentifier(value);
    const from = normaliseIdentifier(payer);
    if (id !== null) byKey.set(`${from}|${id}`, { value: id, payer: from });
  }
  return [...byKey.values()];
}

/** Cleans one person's demographics; placeholders and unreadable values become null. Idempotent. */
export function normalise(raw: Demographics): NormalisedDemographics {
  const name = normaliseName(raw);
  const address = normaliseStreet(raw.line1);
  const memberIds = normaliseMemberIds(raw.memberIds);
  const givenParts = name.given?.split(' ') ?? [];
  const givenWhole = givenParts.join('');
  const familyParts = name.family?.split(' ') ?? [];
  return {
    ...name,
    birthDate: normaliseBirthDate(raw.birthDate),
    sex: normaliseSex(raw.sex),
    line1: address && (address.unit === null ? address.street : `${address.street} # ${address.unit}`),
    city: normalisePlace(raw.city),
    state: normalisePlace(raw.state),
    zip: normaliseZip(raw.zip),
    phones: unique(raw.phones.map(normalisePhone).filter(present)),
    email: normaliseEmail(raw.email),
    ssnLast4: normaliseSsnLast4(raw.ssnLast4),
    medicareId: normaliseMedicareId(raw.medicareId),
    memberIds,
    familyParts,
    familyWhole: familyParts.join(''),
    givenParts,
    givenWhole,
    givenForms: name.given === null || name.given === UNNAMED_NEWBORN ? [] : givenNameForms(givenWhole),
    street: address?.street ?? null,
    unit: address?.unit ?? null,
    memberKeys: memberIds.filter(({ payer }) => payer !== null).map(({ value, payer }) => `${payer}|${value}`),
  };
}
