import type { RosterTarget } from '#contract/roster-columns.ts';
import { LONGEST_HEADER, ROSTER_SAMPLE_BYTES } from '#contract/roster-limits.ts';
import type { RosterSample } from '#contract/rosters.ts';
import { cleanRows } from './clean-rows.ts';
import { RosterFileError } from './file-error.ts';
import type { Header, HeaderMapping } from './headers.ts';
import { showable } from './shown-value.ts';

const SAMPLES = 3;
/** Rows that are looked at for values. */
const MOST_ROWS = 50;

/** Returns the columns of a file, as its first 64 KiB show them. `start`: as many bytes of it, or fewer if it has no more. */
export async function readSample(start: Buffer, mapping: HeaderMapping): Promise<Omit<RosterSample, 'listed'>> {
  const found: { header: Header; cells: readonly string[] }[] = [];
  const samples: string[][] = [];
  try {
    const isCut = start.length >= ROSTER_SAMPLE_BYTES;
    const rows = cleanRows([start], mapping, (header, cells) => found.push({ header, cells }), { isCut });
    let count = 0;
    for await (const batch of rows) {
      for (const { cells } of batch.slice(0, MOST_ROWS - count))
        cells.forEach((cell, at) => {
          const values = (samples[at] ??= []);
          if (cell !== '' && values.length < SAMPLES && !values.includes(cell)) values.push(cell);
        });
      count += batch.length;
      if (count >= MOST_ROWS) break;
    }
  } catch (error) {
    if (!(error instanceof RosterFileError)) throw error;
    if (found.length === 0) return { headers: [], fileError: error.message };
  }
  const [first] = found;
  if (first === undefined) return { headers: [], fileError: 'The file is empty. Choose the file with your patients.' };
  const { header, cells } = first;
  return {
    headers: cells.flatMap((name, at) =>
      name === ''
        ? []
        : [
            {
              header: name.slice(0, LONGEST_HEADER),
              samples: (samples[at] ?? []).map((value) => showable(secretOf(name, header.columns[at] ?? null), value)),
              column: header.columns[at] ?? null,
              reading: header.readings[at] ?? 'UNKNOWN',
            },
          ],
    ),
    fileError: null,
  };
}

/** A column that is not mapped may hold a Social Security or Medicare number, too. */
function secretOf(name: string, column: RosterTarget | null) {
  if (column === 'fullName') return null;
  return /ssn|social|medicare|mbi|hic/i.test(name) ? 'ssnLast4' : column;
}
