/** Readable tables of what was measured. */
import type { FebrlResult } from './evaluate-febrl.ts';
import { RELATIONS } from './person.ts';
import type { WorldResult } from './tally.ts';

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

/** Returns a table with columns as wide as their longest cell; the first column is aligned left. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

/** Returns one line per set of FEBRL. */
export function febrlTable(results: Readonly<Record<string, FebrlResult>>): string {
  return table(
    ['set', 'true pairs', 'automatic', 'review', 'missed', 'false', 'false without partner'],
    Object.entries(results).map(([set, result]) => [
      set,
      String(result.pairs),
      percent(result.automatic),
      percent(result.review),
      percent(result.missed),
      String(result.false),
      String(result.falseWithoutPartner),
    ]),
  );
}

const plain = (value: number): string => (value === 0 ? '0' : value.toPrecision(2));

/** Returns the figures of the invented worlds, the relations of false links, and what was predicted. */
export function worldReport(result: WorldResult): string {
  const summary = table(
    ['worlds', ''],
    [
      ['subjects', String(result.subjects)],
      ['people listed', String(result.listed)],
      ['automatic links', String(result.links)],
      ['false links', `${result.false} (${result.falseWithoutPartner} of them without a true partner on the list)`],
      ['precision', result.precision.toFixed(7)],
      ['recall (true pairs linked)', percent(result.automatic)],
      ['true pairs in review', percent(result.review)],
      ['true pairs missed', percent(result.missed)],
      ['subjects in review', percent(result.reviewRate)],
    ],
  );
  const relations = table(
    ['relation', 'false links', 'at the limit without veto'],
    RELATIONS.map((relation) => [
      relation,
      String(result.falseByRelation[relation]),
      String(result.wrongAtLimit[relation]),
    ]),
  );
  const bins = table(
    ['expected false per subject', 'right', 'wrong', 'wrong, observed', 'wrong, predicted'],
    result.scoreBins.map(({ fromExpected, toExpected, right, wrong, observed, predicted }) => [
      `${fromExpected === 0 ? '0' : fromExpected.toExponential(0)} to ${toExpected.toExponential(0)}`,
      String(right),
      String(wrong),
      plain(observed),
      plain(predicted),
    ]),
  );
  const expected = table(
    ['expected false per subject, at most', 'observed', 'observed without veto'],
    result.expectedBins.map(({ expectedFalse, observed, observedWithoutVeto }) => [
      expectedFalse.toExponential(0),
      plain(observed),
      plain(observedWithoutVeto),
    ]),
  );
  const falseLinks = result.falseLinks.map(
    ({ subject, linked, relation, partnerListed, bits, expectedFalse, levels }) =>
      `${subject} linked to ${linked}, ${relation}, ${bits.toFixed(1)} bits, ${plain(expectedFalse)} expected, partner ${partnerListed ? 'listed' : 'absent'}: ${levels.join(', ')}`,
  );
  return [summary, relations, bins, expected, ...(falseLinks.length === 0 ? [] : [falseLinks.join('\n')])].join('\n\n');
}
