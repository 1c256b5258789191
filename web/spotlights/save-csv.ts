import { SPOTLIGHT_LABELS } from '#contract/spotlight-labels.ts';
import type { Spotlight, SpotlightFigure } from '#contract/spotlights.ts';
import { formatDateTime } from '../ui/format/date.ts';

const CELL = /[",\r\n]/;
/** A cell that begins like a formula is written as text. */
const FORMULA = /^[=+\-@\t\r]/;

const cellOf = (value: string | number | null): string => {
  if (typeof value === 'number') return String(Math.round(value * 10_000) / 10_000);
  const text = value === null ? 'not shown' : FORMULA.test(value) ? `'${value}` : value;
  return CELL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Whom the numbers are of. */
export interface CountedIn {
  team: string;
  group: string;
  /** The saved filter. */
  people: string;
}

/** Returns the numbers of a spotlight as CSV: the period, the one before, each month and each facility. */
export function csvOf(spotlight: Spotlight, { team, group, people }: CountedIn): string {
  const { name, unit, figure, period, previous, months, facilities, asOf, endings } = spotlight;
  const row = (...cells: (string | number | null)[]) => cells.map(cellOf).join(',');
  const line = (what: string, of: { from: string; to: string }, { value, numerator, denominator }: SpotlightFigure) =>
    row(what, of.from, of.to, denominator === 0 ? (value ?? 'none') : value, numerator, denominator);
  return [
    row(`${SPOTLIGHT_LABELS[name]} (${unit.toLowerCase()})`),
    row('as of', formatDateTime(asOf)),
    row('team', team),
    row('group', group),
    row('people', people),
    row('not counted yet', spotlight.open),
    ...(endings
      ? [
          row('resolved by someone', endings.byPeople),
          row('resolved by the system', endings.bySystem),
          row('open', endings.open),
        ]
      : []),
    'of,from,to,value,numerator,denominator',
    line('period', period, figure),
    line('previous period', previous, previous.figure),
    ...months.map((month) => line('month', month, month.figure)),
    ...facilities.map((facility) => line(facility.name, period, facility.figure)),
    '',
  ].join('\r\n');
}

/** Saves the numbers as a file. */
export function saveCsv(spotlight: Spotlight, of: CountedIn): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`\uFEFF${csvOf(spotlight, of)}`], { type: 'text/csv;charset=utf-8' }));
  link.download = `${spotlight.name}-${spotlight.period.from}-${spotlight.period.to}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
