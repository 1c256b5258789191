/** Units of UCUM as people at the bedside write them. */
const UNITS: Readonly<Record<string, string>> = {
  'mm[Hg]': 'mmHg',
  '[degF]': '°F',
  Cel: '°C',
  '[in_i]': 'in',
  '[ft_i]': 'ft',
  '[lb_av]': 'lb',
  '[oz_av]': 'oz',
  '[IU]': 'IU',
  '[iU]': 'IU',
};
const POWERS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Returns the unit in words: an annotation without its braces, a power of ten with small figures. One that isn't known stays as it is. */
export function unitInWords(unit: string): string {
  const known = UNITS[unit];
  if (known !== undefined) return known;
  if (unit.startsWith('{')) return unit.replace(/^\{([^{}]*)\}$/, '$1');
  if (!unit.startsWith('10*')) return unit;
  return unit.replace(
    /^10\*(\d{1,2})\//,
    (_, digits: string) => `10${[...digits].map((digit) => POWERS[Number(digit)]).join('')}/`,
  );
}
