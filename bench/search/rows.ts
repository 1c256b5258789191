/** Generated rows, the same for each engine. They are compact, so that a million of them leave memory for what is measured. */
import type { Row } from '#server/work/search/columns/table.ts';
import { type Facet, MULTIS, NUMBERS, SINGLES, valueOf } from './facets.ts';

const DAYS = 3 * 365;
const SAMPLES = 1 << 18;

export type Rows = {
  count: number;
  singles: Record<string, Uint16Array>;
  multis: Record<string, { starts: Int32Array; codes: Uint16Array }>;
  numbers: Record<(typeof NUMBERS)[number], Int32Array>;
  last: Uint16Array;
  first: Uint16Array;
  lastNames: readonly string[];
  firstNames: readonly string[];
};

/** Returns a function that draws numbers below 2^32 from a seed (a mixed Weyl sequence). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

/** Returns a function that draws codes below `values`. The n-th code has a frequency of n to the power of minus `skew`. */
function skewed(values: number, skew: number, next: () => number): () => number {
  const upTo = new Float64Array(values);
  let sum = 0;
  for (let code = 0; code < values; code += 1) upTo[code] = sum += (code + 1) ** -skew;
  const samples = new Uint16Array(SAMPLES);
  for (let at = 0; at < SAMPLES; at += 1) {
    const wanted = ((at + 0.5) / SAMPLES) * sum;
    let low = 0;
    for (let high = values - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    samples[at] = low;
  }
  return () => samples[next() & (SAMPLES - 1)] as number;
}

/** Returns distinct pronounceable names, the given ones first. */
function namesFrom(seed: number, count: number, given: readonly string[]): string[] {
  const next = numbersFrom(seed);
  const onsets = [
    'b',
    'br',
    'ch',
    'd',
    'f',
    'g',
    'gr',
    'h',
    'j',
    'k',
    'l',
    'm',
    'n',
    'p',
    'r',
    's',
    'sh',
    'st',
    't',
    'v',
    'w',
  ];
  const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ee', 'oa'];
  const ends = ['n', 'r', 's', 'l', 'th', 'ng', 'son', 'man', 'dez', 'ton'];
  const pick = (from: readonly string[]) => from[next() % from.length] as string;
  const names = new Set(given);
  while (names.size < count) {
    let name = '';
    for (let syllables = 1 + (next() % 3); syllables > 0; syllables -= 1) name += pick(onsets) + pick(vowels);
    names.add(name + pick(ends));
  }
  return [...names];
}

/** Returns `count` rows. Events are at most three years old, most of them recent. Days are counted from 1970. */
export function makeRows(count: number, seed = 20): Rows {
  const next = numbersFrom(seed);
  const column = (of: () => number) => Uint16Array.from({ length: count }, of);
  const exponential = (mean: number, most: number) =>
    Math.min(most, Math.floor(-Math.log((next() + 1) / 2 ** 32) * mean));
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, new Int32Array(count)])) as Rows['numbers'];
  for (let row = 0; row < count; row += 1) {
    const daysOld = 18 * 365 + (next() % 14_000) + (next() % 14_000);
    numbers.birth[row] = 20_454 - daysOld;
    numbers.age[row] = Math.floor(daysOld / 365.25);
    numbers.day[row] = 20_454 - exponential(120, DAYS);
    numbers.length[row] = exponential(12, 400);
  }
  const bands: Record<string, (row: number) => number> = {
    ageband: (row) => Math.min(10, Math.floor((numbers.age[row] as number) / 10)),
    dayband: (row) => Math.min(8, Math.floor(Math.log2(20_455 - (numbers.day[row] as number)))),
    lengthband: (row) => Math.min(7, Math.floor(Math.log2((numbers.length[row] as number) + 1))),
  };
  const singles = Object.fromEntries(
    SINGLES.map(({ name, values, skew }) => {
      const band = bands[name];
      if (band) return [name, Uint16Array.from({ length: count }, (_, row) => band(row))];
      return [name, column(skewed(values, skew, next))];
    }),
  );
  const lastNames = namesFrom(1, 30_000, [
    'smith',
    'jones',
    'brown',
    'smithson',
    'garcia',
    'johnson',
    'smilla',
    'davis',
  ]);
  const firstNames = namesFrom(2, 5000, [
    'mary',
    'john',
    'james',
    'joan',
    'linda',
    'robert',
    'joseph',
    'patricia',
    'smita',
  ]);
  return {
    count,
    singles,
    multis: Object.fromEntries(MULTIS.map((facet) => [facet.name, runsOf(count, facet, next)])),
    numbers,
    last: column(skewed(lastNames.length, 0.9, next)),
    first: column(skewed(firstNames.length, 0.9, next)),
    lastNames,
    firstNames,
  };
}

function runsOf(count: number, { values, skew, each }: Facet, next: () => number): Rows['multis'][string] {
  const [least, most] = each ?? [0, 1];
  const draw = skewed(values, skew, next);
  const starts = new Int32Array(count + 1);
  const codes = new Uint16Array(count * most);
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    for (let left = least + (next() % (most - least + 1)); left > 0; left -= 1) {
      const code = draw();
      if (!codes.subarray(starts[row], used).includes(code)) codes[used++] = code;
    }
    starts[row + 1] = used;
  }
  return { starts, codes: codes.slice(0, used) };
}

export const codesAt = ({ starts, codes }: Rows['multis'][string], row: number): Uint16Array =>
  codes.subarray(starts[row], starts[row + 1]);

const texts = new Map(
  [...SINGLES, ...MULTIS].map(({ name, values }) => [
    name,
    Array.from({ length: values }, (_, code) => valueOf(name, code)),
  ]),
);

/** Returns a row in the form that the columns take. Its key is its number. */
export function rowAt(rows: Rows, row: number): Row {
  const text = (name: string, code: number) => texts.get(name)?.[code] as string;
  const last = rows.lastNames[rows.last[row] as number] as string;
  const first = rows.firstNames[rows.first[row] as number] as string;
  return {
    key: row,
    singles: Object.fromEntries(SINGLES.map(({ name }) => [name, text(name, rows.singles[name]?.[row] as number)])),
    multis: Object.fromEntries(
      MULTIS.map(({ name }) => [
        name,
        Array.from(codesAt(rows.multis[name] as Rows['multis'][string], row), (code) => text(name, code)),
      ]),
    ),
    numbers: Object.fromEntries(NUMBERS.map((name) => [name, rows.numbers[name][row] as number])),
    sortTexts: { last, first },
    words: { name: [last, first], identifier: [`mg${1_000_000 + row}`, `w${(row * 7919) % 10_000_019}k`] },
  };
}
