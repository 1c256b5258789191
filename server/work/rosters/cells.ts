/** What one cell of a roster says. A reader returns the value to store (null: nothing), or why it cannot be read, without quoting it. */
import { normalizeMedicareId } from '#server/record/scoring/normalize-values.ts';

export class CellError {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export type Read<T> = T | null | CellError;

/** What people and exports write where there is nothing. */
const NOTHING = /^(n\/?a|none|null|nil|unknown|unk|-+|\.|#n\/a)$/i;
const isNothing = (text: string): boolean => text === '' || NOTHING.test(text);

const LONGEST_TEXT = 200;

export function readText(text: string): Read<string> {
  if (text.length > LONGEST_TEXT) return new CellError(`is longer than ${LONGEST_TEXT} characters`);
  return text === '' ? null : text;
}

/** Several values between semicolons, each once, in their order. */
export function readList(text: string): Read<string[]> {
  const values = [...new Set(text.split(';').map((value) => value.trim()))].filter((value) => value !== '');
  return values.some((value) => value.length > LONGEST_TEXT)
    ? new CellError(`has a value of more than ${LONGEST_TEXT} characters`)
    : values;
}

/** A spreadsheet that takes a long number for a quantity writes 1.00237E+11, and the last digits are lost. No id begins with the apostrophe of a cell of text. */
export function readMemberId(cell: string): Read<string> {
  const text = cell.replace(/^'/, '');
  if (/^\d(\.\d+)?e\+\d+$/i.test(text)) {
    return new CellError('was shortened by a spreadsheet (a number with E+); format the column as text');
  }
  return readText(text);
}

const OLDEST = 130;

/** M/D/YYYY (also with - or .), YYYY-MM-DD or YYYYMMDD, as YYYY-MM-DD; `today` is such a day too. */
export function readBirthDate(text: string, today: string): Read<string> {
  if (text === '') return null;
  const date = text.replace(/[T ]0?0:00(:00(\.0+)?)?( ?AM)?Z?$|[ ]12:00(:00)? ?AM$/i, '');
  const american = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(date);
  const iso = /^(\d{4})([/-]?)(\d{2})\2(\d{2})$/.exec(date);
  const [year, month, day] = american ? [american[4], american[1], american[3]] : [iso?.[1], iso?.[3], iso?.[4]];
  if (year === undefined || month === undefined || day === undefined) {
    return new CellError('is not a date written as MM/DD/YYYY, YYYY-MM-DD or YYYYMMDD');
  }
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > lastDay) {
    return new CellError('is a day that does not exist');
  }
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (read > today) return new CellError('is in the future');
  if (Number(year) < Number(today.slice(0, 4)) - OLDEST) return new CellError(`is more than ${OLDEST} years ago`);
  return read;
}

const GENDERS = new Map(
  Object.entries({
    Male: 'm male man boy',
    Female: 'f female woman girl',
    Other: 'o other x nonbinary non-binary a ambiguous',
    Unknown: 'u unknown unk undisclosed n',
  }).flatMap(([gender, names]) => names.split(' ').map((name): [string, string] => [name, gender])),
);

/** Male, Female, Other or Unknown; an empty cell is Unknown. */
export function readGender(text: string): Read<string> {
  if (isNothing(text)) return 'Unknown';
  return GENDERS.get(text.toLowerCase()) ?? new CellError('is not M, F, Male, Female, Other or Unknown');
}

/** Two letters are a state's code; anything else stays as it is. */
export function readState(text: string): Read<string> {
  if (isNothing(text)) return null;
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : readText(text);
}

/** 12345 or 12345-6789. Leading zeros, which a spreadsheet drops (02155 as 2155), come back. */
export function readZip(text: string): Read<string> {
  if (isNothing(text)) return null;
  const digits = text.replace(/\.0$/, '').replace(/[\s-]/g, '');
  if (/^\d{3,5}$/.test(digits)) return digits.padStart(5, '0');
  if (!/^\d{7,9}$/.test(digits)) return new CellError('is not a ZIP code of 5 or 9 digits');
  const nine = digits.padStart(9, '0');
  return `${nine.slice(0, 5)}-${nine.slice(5)}`;
}

/** A number of the North American plan as 585-555-0134, without country code and extension. */
export function readPhone(text: string): Read<string> {
  if (isNothing(text)) return null;
  const digits = text
    .replace(/(x|ext).*$/i, '')
    .replace(/\.0$/, '')
    .replace(/\D/g, '');
  const ten = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (/^0*$/.test(ten)) return null;
  if (!/^\d{10}$/.test(ten)) return new CellError('is not a telephone number of 10 digits');
  return `${ten.slice(0, 3)}-${ten.slice(3, 6)}-${ten.slice(6)}`;
}

/** The last four digits. A whole number is cut down here, so that it gets no further; lost leading zeros come back. */
export function readSsnLast4(text: string): Read<string> {
  if (isNothing(text)) return null;
  const digits = text.replace(/\.0$/, '').replace(/[\s*xX#-]/g, '');
  if (!/^(\d{1,4}|\d{7,9})$/.test(digits))
    return new CellError('is not the last four digits of a Social Security number');
  const last4 = digits.slice(-4).padStart(4, '0');
  return last4 === '0000' ? null : last4;
}

/** A Medicare beneficiary identifier without dashes. The number that preceded it held the Social Security number and is refused. */
export function readMedicareId(text: string): Read<string> {
  if (isNothing(text)) return null;
  return normalizeMedicareId(text) ?? new CellError('is not a Medicare beneficiary identifier (11 characters)');
}

export function readNpi(text: string): Read<string> {
  if (isNothing(text)) return null;
  const digits = text.replace(/\.0$/, '');
  return /^[12]\d{9}$/.test(digits) ? digits : new CellError('is not an NPI of 10 digits');
}
