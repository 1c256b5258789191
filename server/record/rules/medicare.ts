/** Whether Medicare may pay for a stay, for what only Medicare asks: the three-day rule and its waiver. */

/** Entitled by age (42 CFR 406.10). Disability and kidney failure entitle earlier (406.12, 406.13), but nothing tells them but the payer. */
const ENTITLED_FROM_YEARS = 65;

export interface Coverage {
  /** The payers of the stay (IN1). */
  payers: readonly { company?: string | null; plan?: string | null; code?: string | null }[];
  /** The plans that lists have for the person, which count where the stay has no payer. */
  insurance: readonly string[];
  /** YYYY-MM-DD */
  birthDate: string | null;
}

/**
 * Returns whether a payer names Medicare or, if none but Medicaid is known, the person is 65 or may be: Medicaid pays after Medicare for those who
 * have both. `today`: YYYY-MM-DD.
 */
export function mayBeMedicare({ payers, insurance, birthDate }: Coverage, today: string): boolean {
  const ofStay = payers.map(({ company, plan, code }) => [company, plan, code].filter(Boolean).join(' '));
  const named = [ofStay, insurance].find((texts) => texts.some((text) => text.trim()));
  if (named?.some((text) => /medicare/i.test(text))) return true;
  if (named?.some((text) => text.trim() && !/medicaid/i.test(text))) return false;
  return birthDate === null || yearsBetween(birthDate, today) >= ENTITLED_FROM_YEARS;
}

/** Returns the full years between two days (YYYY-MM-DD): an age. */
export function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}
