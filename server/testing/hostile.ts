/** Values that someone of ill will, or a broken system, puts into a field; and the size of the generated attacks. */

/** `npm run test:attacks` tries every value in every field. `npm test` tries those that broke something before. */
export const isFullAttack = process.env['TIDINGS_ATTACKS'] === 'full';

const LONG = 20_000;

/** Each has harmed this product or one like it. */
const PROVEN: readonly string[] = [
  `${'BABYBOY'.repeat(28)}X`,
  'A'.repeat(LONG),
  `${' '.repeat(LONG)}X`,
  `a@${'.'.repeat(LONG)} b`,
  '\u0000',
  '2026-02-30T10:00:00Z',
  'constructor',
  '\ud800',
];

const FURTHER: readonly string[] = [
  '',
  ' ',
  '__proto__',
  'toString',
  "'; drop table persons; --",
  '" or 1=1 --',
  '$1',
  '%s%n%x',
  '{{7*7}}${7*7}',
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '=HYPERLINK("http://evil.example";"x")',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  '\r\nX-Injected: 1',
  '\u000b\u001c\r',
  '\u202egnp.exe',
  '\u0301'.repeat(2000),
  '👩‍👩‍👧‍👦'.repeat(500),
  'İıſK',
  '\ufdfa'.repeat(1000),
  '9223372036854775808',
  '-1',
  '1e308',
  'NaN',
  '0x7fffffff',
  '9999-12-31T23:59:59Z',
  '0000-00-00',
  '('.repeat(LONG),
  'a,'.repeat(LONG),
  `${'-'.repeat(LONG)}!`,
  `${'0'.repeat(LONG)}x`,
  `${'\\'.repeat(LONG)}"`,
];

/** The values to try. None contains a delimiter of HL7 on purpose: escapes and delimiters have their own tests. */
export const HOSTILE_VALUES: readonly string[] = isFullAttack ? [...PROVEN, ...FURTHER] : PROVEN;

/** Values of the wrong kind, for a field of a JSON body. */
export const WRONG_KINDS: readonly unknown[] = isFullAttack
  ? [
      null,
      true,
      -1,
      1e308,
      2 ** 53,
      [],
      [[]],
      {},
      { toString: 1 },
      nested(2000),
      Array.from({ length: 5000 }, () => 'x'),
    ]
  : [null, {}, nested(2000)];

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
