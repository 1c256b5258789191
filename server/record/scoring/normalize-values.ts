/** Normalizes phones, emails, identifiers, ZIP codes and birth dates for comparison. Known placeholders become null. */

const NO_MAIL = /^(none|no|noemail|no-?e?mail|na|n\.?a|unknown|declined|refused|test|noreply|no-reply|patient)$/;
/** The numbers on the CMS specimen card, which forms and test systems copy. */
const SPECIMEN_MEDICARE_IDS = new Set(['1EG4TE5MK72', '1EG4TE5MK73']);
const PLACEHOLDER_DATES = new Set(['1900-01-01', '1901-01-01', '1899-12-30', '1899-12-31']);

/**
 * Returns the ten digits of a North American number, without country code and extension. Returns null for other lengths,
 * area codes and exchanges that begin with 0 or 1, seven repeated digits at the end, and 555-0100 to 555-0199, which are
 * reserved for fiction.
 */
export function normalizePhone(phone: string): string | null {
  const digits = withoutExtension(phone).replace(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (!/^[2-9]\d{2}[2-9]\d{6}$/.test(national)) return null;
  return /^...(.)\1{6}$/.test(national) || /^...55501/.test(national) ? null : national;
}

/** Cuts a phone number off at its extension ('x 12', 'ext. 12'). */
export const withoutExtension = (phone: string): string => phone.split(/x|ext/i, 1)[0] ?? '';

/** Returns the address in lower case, or null if it is not a single address or means 'none'. */
export function normalizeEmail(email: string | null): string | null {
  const address = (email ?? '').trim().toLowerCase();
  // Not one expression for the whole address: backtracking over its dots would take quadratic time.
  const [local = '', domain = '', ...more] = address.split('@');
  const isAddress = local !== '' && more.length === 0 && domain.slice(1, -1).includes('.') && !/\s/.test(address);
  return isAddress && !NO_MAIL.test(local) ? address : null;
}

/** Returns the 11 characters of a Medicare beneficiary identifier without dashes (CMS, 'Understanding the MBI'), or null. */
export function normalizeMedicareId(id: string | null): string | null {
  const compact = (id ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (!/^[1-9][A-Z][A-Z0-9]\d[A-Z][A-Z0-9]\d[A-Z]{2}\d{2}$/.test(compact)) return null;
  return SPECIMEN_MEDICARE_IDS.has(compact) ? null : compact;
}

/** Numbers that forms and test systems fill in. Those of one repeated digit are recognized without a list. */
const FILLER_SSNS = new Set(['123456789', '987654321', '078051120', '219099999', '012345678']);

/** Area 000, 666 and 900 to 999, group 00 and serial 0000 are never issued (Social Security Administration, "Social Security number randomization"). */
const NEVER_ISSUED = /^(?:000|666|9\d\d)|^\d{3}00|0000$/;
/** The ends of numbers that forms and test systems fill in. */
const FILLER_ENDS = /^(?:(\d)\1{3}|1234|4321|6789)$/;

/** Returns the last four of four or nine digits, or null if they are a filler or of a number that is never issued. */
export function normalizeSsnLast4(ssn: string | null): string | null {
  const digits = (ssn ?? '').replace(/\D/g, '');
  if (digits.length !== 4 && digits.length !== 9) return null;
  const last4 = digits.slice(-4);
  if (digits.length === 9 && (NEVER_ISSUED.test(digits) || FILLER_SSNS.has(digits))) return null;
  return FILLER_ENDS.test(last4) ? null : last4;
}

/** Returns the first five digits, or null. */
export function normalizeZip(zip: string | null): string | null {
  const five = /^\d{5}/.exec((zip ?? '').trim())?.[0] ?? null;
  return five === '00000' || five === '99999' ? null : five;
}

/** Returns YYYY-MM-DD from that or YYYYMMDD; null for an invalid date, a year before 1890, and the usual filler dates. */
export function normalizeBirthDate(date: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec((date ?? '').trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < '1890') return null;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (month < '01' || month > '12' || day < '01' || Number(day) > lastDay) return null;
  const iso = `${year}-${month}-${day}`;
  return PLACEHOLDER_DATES.has(iso) || year === '9999' ? null : iso;
}

/** Returns the letters and digits in upper case, with leading zeros; null if empty or a single repeated character. */
export function normalizeIdentifier(value: string | null): string | null {
  const compact = (value ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  return compact === '' || /^(.)\1*$/.test(compact) ? null : compact;
}
