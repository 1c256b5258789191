/** Warnings about the characters of a row's cells, whatever the cells mean: hidden ones, and letters in a wrong encoding. */
import { FULL_NAME, ROSTER_COLUMNS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import { hiddenIn, marked } from './clean-cell.ts';
import { isGarbled } from './garbled.ts';
import type { RowWarning } from './row-errors.ts';
import { shown } from './shown-value.ts';

const GARBLED =
  'Contains an unreadable character, so letters may be wrong. Save the file as CSV UTF-8 from the system it comes from, and check this cell';

const removed = (hidden: readonly string[]): string =>
  `${hidden.length === 1 ? 'An invisible character was' : 'Invisible characters were'} removed: ${hidden.join(', ')}. Check the cell`;

const NAMES: ReadonlySet<RosterTarget> = new Set([
  'firstName',
  'middleName',
  'lastName',
  'nameSuffix',
  FULL_NAME.id,
  'city',
  'providerFirstName',
  'providerLastName',
  'careCoordinators',
]);

/** A whole name is reported as the last name, like one that can't be told apart. */
const columnOf = (target: RosterTarget): RosterColumn => (target === FULL_NAME.id ? 'lastName' : target);

/** Returns the warnings, and how many cells are garbled. `asWritten`: notable cells by position (`clean-cell.ts`). */
export function warningsOfCharacters(
  asWritten: ReadonlyMap<number, string>,
  columns: readonly (RosterTarget | null)[],
): { warnings: RowWarning[]; garbledCells: number } {
  const warnings: RowWarning[] = [];
  let garbledCells = 0;
  for (const [at, cell] of asWritten) {
    const target = columns[at] ?? null;
    if (target === null) continue;
    const column = columnOf(target);
    const warn = (reason: string): void => {
      const { header } = ROSTER_COLUMNS[column];
      warnings.push({ column: header, reason, isRead: true, ...shown(column, marked(cell)) });
    };
    if (isGarbled(cell, NAMES.has(target))) {
      garbledCells += 1;
      warn(GARBLED);
    }
    const hidden = hiddenIn(cell);
    if (hidden.length > 0) warn(removed(hidden));
  }
  return { warnings, garbledCells };
}
