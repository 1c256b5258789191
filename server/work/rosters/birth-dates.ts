/** Reads dates of birth, and finds out whether a file writes them with the month or the day first. */
import { CellError, CompletedCell, type Read } from './cells.ts';
import { RosterFileError } from './file-error.ts';

const OLDEST = 130;
const NOT_A_DATE = 'Not a valid date. Use MM/DD/YYYY';
const TWO_DIGITS = 'The year has two digits, so the century is not clear. Use MM/DD/YYYY';
const DAY_NUMBER =
  'A number of days from a spreadsheet, so it was read as a date. Check it, or format the column as a date and export the file again';

export interface DateRules {
  /** YYYY-MM-DD. Later dates are errors. */
  today: string;
  /** Whether 3/4/1941 is April 3. */
  hasDayFirst: boolean;
}

/**
 * Reads M/D/YYYY or D/M/YYYY (also with - or ., or as eight digits), YYYY-M-D, YYYYMMDD, or a date with the month's name, as YYYY-MM-DD. A number
 * of days, as spreadsheets store dates, is read with a warning.
 */
export function readBirthDate(text: string, rules: DateRules): Read<string> {
  if (text === '') return null;
  const date = withoutTime(text);
  const serial = dayOfSerial(date);
  const parts = serial ?? partsOf(date, rules.hasDayFirst) ?? partsWithName(date);
  if (parts === null) return new CellError(YEAR_OF_TWO_DIGITS.test(date) ? TWO_DIGITS : NOT_A_DATE);
  const { year, month, day } = parts;
  if (!isDay(year, month, day)) return new CellError(NOT_A_DATE);
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (read > rules.today) return new CellError('Date is in the future. Use the date of birth as MM/DD/YYYY');
  if (Number(year) < Number(rules.today.slice(0, 4)) - OLDEST)
    return new CellError(`Date is more than ${OLDEST} years ago. Check the year`);
  return serial === null ? read : new CompletedCell(read, DAY_NUMBER);
}

const YEAR_OF_TWO_DIGITS = /^\d{1,2}(?:[/.-]\d{1,2}[/.-]|[ /-]?[a-z]{3,9}\.?[ ,/-]{0,2})\d{2}$/i;

interface DateParts {
  year: string;
  month: string;
  day: string;
}

function partsOf(date: string, hasDayFirst: boolean): DateParts | null {
  const numbers = numbersIn(date);
  const iso = YEAR_FIRST.exec(date) ?? /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/.exec(date);
  const [first, second, year] = numbers ? [numbers[1], numbers[3], numbers[4]] : [iso?.[3], iso?.[4], iso?.[1]];
  if (first === undefined || second === undefined || year === undefined) return null;
  return numbers && hasDayFirst ? { year, month: second, day: first } : { year, month: first, day: second };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS = ['uary', 'ruary', 'ch', 'il', '', 'e', 'y', 'ust', 'tember', 'ober', 'ember', 'ember'];

/** Reads March 14, 1941, or 14-Mar-1941. */
function partsWithName(date: string): DateParts | null {
  const monthFirst = /^([a-z]{3,9})\.? ?(\d{1,2}),? ?(\d{4})$/i.exec(date);
  const dayFirst = /^(\d{1,2})[ /-]?([a-z]{3,9})\.?[ ,/-]{0,2}(\d{4})$/i.exec(date);
  const [name, day, year] = monthFirst ? monthFirst.slice(1) : [dayFirst?.[2], dayFirst?.[1], dayFirst?.[3]];
  if (name === undefined || day === undefined || year === undefined) return null;
  const word = name.toLowerCase();
  const month = MONTHS.indexOf(word.slice(0, 3));
  const rest = word.slice(3);
  if (month < 0 || (rest !== '' && rest !== FULL_MONTHS[month] && word !== 'sept')) return null;
  return { year, month: String(month + 1), day };
}

/** Days since 12/30/1899 are what spreadsheets store. Numbers up to this one are too likely years. */
const LAST_YEAR = 2100;

function dayOfSerial(text: string): DateParts | null {
  const number = Number(/^(\d{4,5})(\.0+)?$/.exec(text)?.[1] ?? 0);
  if (number <= LAST_YEAR) return null;
  const [year = '', month = '', day = ''] = new Date(Date.UTC(1899, 11, 30 + number))
    .toISOString()
    .slice(0, 10)
    .split('-');
  return { year, month, day };
}

const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
/** No month begins with these digits, and hardly a day of someone whose file has the day first. */
const YEAR_FIRST = /^((?:18|19|20)\d{2})()(\d{2})(\d{2})$/;

/** Returns the numbers of a date with the year last, also of 03141941. */
const numbersIn = (date: string): RegExpExecArray | null =>
  NUMBERS.exec(date) ?? (YEAR_FIRST.test(date) ? null : /^(\d{2})()(\d{2})(\d{4})$/.exec(date));

const withoutTime = (text: string): string =>
  text.replace(/[T ]0?0:00(:00(\.0+)?)?( ?AM)?Z?$|[ ]12:00(:00)? ?AM$/i, '');

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: string, month: string, day: string): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const isLeap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
  return d >= 1 && d <= (m === 2 && isLeap ? 29 : (DAYS[m - 1] ?? 0));
}

/** What a date says about the order: 'either' for one that is a different day in each, 'none' for one that says nothing. */
type Order = 'month-first' | 'day-first' | 'either' | 'none';

function orderOf(text: string): Order {
  const [, first, , second, year] = numbersIn(withoutTime(text)) ?? [];
  if (first === undefined || second === undefined || year === undefined) return 'none';
  const monthFirst = isDay(year, first, second);
  const dayFirst = isDay(year, second, first);
  if (monthFirst && dayFirst) return Number(first) === Number(second) ? 'none' : 'either';
  return monthFirst ? 'month-first' : dayFirst ? 'day-first' : 'none';
}

interface Row {
  rowNumber: number;
  cells: readonly string[];
}

/** In characters: rows that wait for the first date that can be read in one order only, which is among the first ones of a real file. */
const MOST_HELD = 2 * 1024 * 1024;

/**
 * Yields the rows in their order, some at a time, with whether their file has the day first. Rows wait until a date decides. Without one, the month is first,
 * as in the United States. Throws RosterFileError if another date contradicts: no one could tell how to read those that are days in both orders.
 */
export async function* inDateOrder<T extends Row>(
  batches: AsyncIterable<readonly T[]>,
  birthDateOf: (row: T) => string,
): AsyncGenerator<{ rows: T[]; hasDayFirst: boolean }> {
  let held: T[] = [];
  let length = 0;
  let isAmbiguous = false;
  let decided: { order: Order; by: Row } | null = null;
  for await (const batch of batches) {
    for (const row of batch) {
      const order = orderOf(birthDateOf(row));
      const decides = order === 'month-first' || order === 'day-first';
      if (decides && decided && order !== decided.order) throw new RosterFileError(mixed(row, order, decided.by));
      if (decides) decided ??= { order, by: row };
      held.push(row);
      isAmbiguous ||= order === 'either';
      if (decided || !isAmbiguous) continue;
      length += row.cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      if (length > MOST_HELD) decided = { order: 'month-first', by: row };
    }
    if (isAmbiguous && !decided) continue;
    yield { rows: held, hasDayFirst: decided?.order === 'day-first' };
    held = [];
  }
  if (held.length > 0) yield { rows: held, hasDayFirst: false };
}

function mixed(row: Row, order: Order, other: Row): string {
  const [dayFirst, monthFirst] = order === 'day-first' ? [row, other] : [other, row];
  return `The dates of birth are in different orders: row ${dayFirst.rowNumber} has the day first, row ${monthFirst.rowNumber} the month. Write all of them as MM/DD/YYYY, then upload the file again.`;
}
