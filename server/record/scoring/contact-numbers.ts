/** Contacts, numbers and dates made comparable. Whatever is known to be a stand-in becomes null. */

const NO_MAIL = /^(none|no|noemail|no-?e?mail|na|n\.?a|unknown|declined|refused|test|noreply|no-reply|patient)$/;
/** The number printed on the specimen card of CMS, which forms and test systems copy. */
const SPECIMEN_MEDICARE_IDS = new Set(['1EG4TE5MK72', '1EG4TE5MK73']);
const PLACEHOLDER_DATES = new Set(['1900-01-01', '1901-01-01', '1899-12-30', '1899-12-31']);

/**
 * Ten digits of the North American plan, without country code and extension. Null for other lengths, for area codes and
 * exchanges that begin with 0 or 1, for a last seven of one digit, and for 555-0100 to 555-0199, which belong to
 * nobody.
 */
export function normalisePhone(phone: string): string | null {
  const digits = phone.replace(/(x|ext).*$/i, '').replace(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (!/^[2-9]\d{2}[2-9]\d{6}$/.test(national)) return null;
  return /^...(.)\1{6}$/.test(national) || /^...55501/.test(national) ? null : national;
}

/** Lower-case; null where it is not one address or stands for 'none'. */
export function normaliseEmail(email: string | null): string | null {
  const address = (email ?? '').trim().toLowerCase();
  const local = /^([^\s@]+)@[^\s@]+\.[^\s@]+$/.exec(address)?.[1];
  return local === undefined || NO_MAIL.test(local) ? null : address;
}

/** 11 characters without dashes in the shape of a Medicare beneficiary identifier (CMS, 'Understanding the MBI'). */
export function normaliseMedicareId(id: string | null): string | null {
  const compact = (id ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (!/^[1-9][A-Z][A-Z0-9]\d[A-Z][A-Z0-9]\d[A-Z]{2}\d{2}$/.test(compact)) return null;
  return SPECIMEN_MEDICARE_IDS.has(compact) ? null : compact;
}

/** The last four of four or nine digits. 0000 is never issued and 9999 is what forms are filled with. */
export function normaliseSsnLast4(ssn: string | null): string | null {
  const digits = (ssn ?? '').replace(/\D/g, '');
  if (digits.length !== 4 && digits.length !== 9) return null;
  const last4 = digits.slice(-4);
  return last4 === '0000' || last4 === '9999' || /^(.)\1{8}$/.test(digits) ? null : last4;
}

/** Five digits, or null. */
export function normaliseZip(zip: string | null): string | null {
  const five = /^\d{5}/.exec((zip ?? '').trim())?.[0] ?? null;
  return five === '00000' || five === '99999' ? null : five;
}

/** YYYY-MM-DD from that or YYYYMMDD; null for no such day, a year before 1890, and the days that systems fill in. */
export function normaliseBirthDate(date: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec((date ?? '').trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < '1890') return null;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (month < '01' || month > '12' || day < '01' || Number(day) > lastDay) return null;
  const iso = `${year}-${month}-${day}`;
  return PLACEHOLDER_DATES.has(iso) || year === '9999' ? null : iso;
}

/** Upper-case letters and digits, leading zeros kept; null for nothing or one repeated character. */
export function normaliseIdentifier(value: string | null): string | null {
  const compact = (value ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  return compact === '' || /^(.)\1*$/.test(compact) ? null : compact;
}
