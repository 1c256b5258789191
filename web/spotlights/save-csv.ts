import type { Spotlight, SpotlightFigure } from '#contract/spotlights.ts';
import { SPOTLIGHT_WORDS } from './spotlight-words.ts';

const CELL = /[",\r\n]/;
/** A cell that begins like a formula is written as text. */
const FORMULA = /^[=+\-@\t\r]/;

const cellOf = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value);
  const text = value === null ? 'too few to show' : FORMULA.test(value) ? `'${value}` : value;
  return CELL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Returns the numbers of a spotlight as CSV: the period, the one before, each month and each facility. */
export function csvOf({ name, unit, figure, period, previous, months, facilities, asOf }: Spotlight): string {
  const line = (what: string, of: { from: string; to: string }, { value, numerator, denominator }: SpotlightFigure) =>
    [what, of.from, of.to, value, numerator, denominator].map(cellOf).join(',');
  return [
    [`${SPOTLIGHT_WORDS[name].label} (${unit.toLowerCase()}), as of ${asOf}`].map(cellOf).join(','),
    'of,from,to,value,numerator,denominator',
    line('period', period, figure),
    line('previous period', previous, previous.figure),
    ...months.map((month) => line('month', month, month.figure)),
    ...facilities.map((facility) => line(facility.name, period, facility.figure)),
    '',
  ].join('\r\n');
}

/** Saves the numbers as a file. */
export function saveCsv(spotlight: Spotlight): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`\uFEFF${csvOf(spotlight)}`], { type: 'text/csv;charset=utf-8' }));
  link.download = `${spotlight.name}-${spotlight.period.from}-${spotlight.period.to}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
