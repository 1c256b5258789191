/**
 * Reads the cells of a roster. A reader returns the value to store, null for none, a CompletedCell or a CellError. Their reasons never quote
 * the cell.
 */
import { STATE_LABELS } from '#contract/states.ts';
import { normalizeMedicareId, withoutExtension } from '#server/record/scoring/normalize-values.ts';

export class CellError {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

const LEADING_ZEROS =
  'Too short, so it was read with leading zeros. Format the column as text and export the file again';

/** A value that a spreadsheet has probably changed. It is stored as completed, with a warning. */
export class CompletedCell {
  readonly value: string;
  readonly reason: string;
  constructor(value: string, reason = LEADING_ZEROS) {
    this.value = value;
    this.reason = reason;
  }
}

export type Read<T> = T | null | CompletedCell | CellError;

/** What people and exports write in an empty cell. */
const PLACEHOLDER = /^(n\/?a|none|null|nil|unknown|unk|-+|\.|#n\/a)$/i;
const isBlank = (text: string): boolean => text === '' || PLACEHOLDER.test(text);

const LONGEST_TEXT = 200;
const MOST_VALUES = 100;

export function readText(text: string): Read<string> {
  if (text.length > LONGEST_TEXT) return new CellError(`Too long. Use at most ${LONGEST_TEXT} characters`);
  return text === '' ? null : text;
}

/** Reads values separated by semicolons, without duplicates, in their order. */
export function readList(text: string): Read<string[]> {
  if (text === '') return [];
  const values = [...new Set(text.split(';').map((value) => value.trim()))].filter((value) => value !== '');
  if (values.length > MOST_VALUES) return new CellError(`Too many values. Use at most ${MOST_VALUES}`);
  return values.some((value) => value.length > LONGEST_TEXT)
    ? new CellError(`A value is too long. Use at most ${LONGEST_TEXT} characters each`)
    : values;
}

/** Reads values that belong to those of another column, in their order. A blank one stands for none; only blank ones are no values. */
export function readBeside(text: string): Read<string[]> {
  if (text === '') return [];
  const values = text.split(';').map((value) => value.trim());
  if (values.length > MOST_VALUES) return new CellError(`Too many values. Use at most ${MOST_VALUES}`);
  if (values.some((value) => value.length > LONGEST_TEXT))
    return new CellError(`A value is too long. Use at most ${LONGEST_TEXT} characters each`);
  return values.every((value) => value === '') ? [] : values;
}

/**
 * Returns the values of such a column for the names as `readList` stores them: without those of blank names and of names that occur again.
 * `names`: the cell with the names.
 */
export function besideNames(names: string, values: readonly string[]): string[] | CellError {
  if (values.length === 0) return [];
  const written = names.split(';').map((name) => name.trim());
  if (values.length > written.length)
    return new CellError('More values than care coordinators. Use one for each, in the same order');
  const kept = written.flatMap((name, at) => (name === '' || written.indexOf(name) < at ? [] : (values[at] ?? '')));
  return kept.every((value) => value === '') ? [] : kept;
}

/** Spreadsheets shorten long numbers to 1.00237E+11, which loses the last digits, and mark text cells with a leading apostrophe. */
export function readMemberId(cell: string): Read<string> {
  const text = cell.replace(/^'/, '');
  if (/^\d(\.\d+)?e\+\d+$/i.test(text)) {
    return new CellError(
      'Shortened by a spreadsheet (a number with E+). Format the column as text and export the file again',
    );
  }
  return readText(text);
}

/** The digits are those of CMS and ISO 5218. */
const GENDERS = new Map(
  Object.entries({
    Male: 'm male man boy 1',
    Female: 'f female woman girl 2',
    Other: 'o other x nonbinary non-binary a ambiguous',
    Unknown: 'u unknown unk undisclosed n 0 9',
  }).flatMap(([gender, names]) => names.split(' ').map((name): [string, string] => [name, gender])),
);

/** Reads Male, Female, Other or Unknown, also abbreviated. An empty cell is Unknown. */
export function readGender(text: string): Read<string> {
  if (isBlank(text)) return 'Unknown';
  return GENDERS.get(text.toLowerCase()) ?? new CellError('Not recognized. Use Male, Female, Other or Unknown');
}

/** The armed forces and the freely associated states also have addresses with a ZIP code (USPS Publication 28, appendix B). */
const OTHER_STATES = ['AA', 'AE', 'AP', 'FM', 'MH', 'PW'];
const lettersOf = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '');
const STATES = new Map([
  ...Object.entries(STATE_LABELS).flatMap(([code, name]) =>
    [code, lettersOf(name)].map((text) => [text, code] as const),
  ),
  ...OTHER_STATES.map((code) => [code, code] as const),
  ['WASHINGTONDC', 'DC'],
  ['VIRGINISLANDS', 'VI'],
]);

/** Reads the abbreviation or name of a US state or territory as its abbreviation. */
export function readState(text: string): Read<string> {
  if (isBlank(text)) return null;
  return STATES.get(lettersOf(text)) ?? new CellError('Not recognized. Use the two-letter abbreviation of a US state');
}

/** Reads 12345 or 12345-6789, and restores the leading zeros that spreadsheets drop (2155 for 02155). */
export function readZip(text: string): Read<string> {
  if (isBlank(text)) return null;
  const digits = text.replace(/\.0$/, '').replace(/[\s-]/g, '');
  if (!/^(\d{3,5}|\d{7,9})$/.test(digits)) return new CellError('Not a valid ZIP code. Use 5 or 9 digits');
  const whole = digits.padStart(digits.length > 5 ? 9 : 5, '0');
  const zip = whole.length > 5 ? `${whole.slice(0, 5)}-${whole.slice(5)}` : whole;
  return whole === digits ? zip : new CompletedCell(zip);
}

/** Reads a North American phone number as 585-555-0134, without country code and extension. Only zeros are none. */
export function readPhone(text: string): Read<string> {
  if (isBlank(text)) return null;
  const digits = withoutExtension(text).replace(/\.0$/, '').replace(/\D/g, '');
  const ten = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (/^0+$/.test(ten)) return null;
  if (!/^\d{10}$/.test(ten)) return new CellError('Not a valid phone number. Use 10 digits');
  return `${ten.slice(0, 3)}-${ten.slice(3, 6)}-${ten.slice(6)}`;
}

/** Reads the last four digits, and restores a lost leading zero. A whole number is cut here, so that it is never stored. */
export function readSsnLast4(text: string): Read<string> {
  if (isBlank(text)) return null;
  const digits = text.replace(/\.0$/, '').replace(/[\s*xX#-]/g, '');
  if (/^0+$/.test(digits)) return null;
  if (!/^(\d{3,4}|\d{7,9})$/.test(digits))
    return new CellError('Not valid. Use the last four digits of the Social Security number');
  const last4 = digits.slice(-4).padStart(4, '0');
  if (last4 === '0000') return null;
  return digits.length === 3 ? new CompletedCell(last4) : last4;
}

/** Reads a Medicare Beneficiary Identifier without dashes. The older HICN contains the Social Security number and is refused. */
export function readMedicareId(text: string): Read<string> {
  if (isBlank(text)) return null;
  return (
    normalizeMedicareId(text) ??
    new CellError('Not a valid Medicare ID. Use the 11-character Medicare Beneficiary Identifier')
  );
}

export function readNpi(text: string): Read<string> {
  if (isBlank(text)) return null;
  const digits = text.replace(/\.0$/, '');
  return /^[12]\d{9}$/.test(digits) ? digits : new CellError('Not a valid NPI. Use 10 digits');
}
