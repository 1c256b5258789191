/** What `npm run propose:matching` prints: counts and shares, and names of at least a hundred people. */
import { table } from '#server/record/evaluation/report.ts';
import type { NameChange, ProposedSnapshot } from './freeze-snapshot.ts';
import type { Proposal } from './propose-numbers.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const share = (value: number): string =>
  value === 0 ? '0' : value < 1e-4 ? value.toExponential(1) : value.toPrecision(2);
const percent = (value: number): string => `${(100 * value).toPrecision(2)} %`;

/** Returns the table with the estimates beside it, and what they rest on. */
export function proposalReport({ samples, numbers }: Proposal): string {
  const found = samples.map(
    ({ name, pairs, isComplete, decided, matches }) =>
      `Pairs with ${name}: ${count(pairs)} compared${isComplete ? '' : ' (a sample)'}, ${count(matches)} of them probably one person` +
      `${pairs > 0 ? ` (${percent(matches / pairs)})` : ''}; people decided ${count(decided)}.`,
  );
  const rows = numbers.map(({ field, level, inTable, estimated, pairs, of, isFar }) => [
    `${field} ${level ?? ''}`.trimEnd(),
    share(inTable),
    estimated === null ? '-' : share(pairs === 0 ? 0 : estimated),
    estimated === null ? '' : `${count(pairs)} of ${count(of)}`,
    isFar ? '*' : '',
  ]);
  const legend =
    '* More than 1.5 times as much or as little, resting on 30 pairs or more. -: fewer than 30 pairs have the field. Addresses: of people who stayed.\n' +
    'Nothing was changed. docs/matching.md ("A site\'s own numbers") says what to do with a number that is off.';
  return [found.join('\n'), table(['field and level', 'in the table', 'estimated', 'pairs', ''], rows), legend].join(
    '\n\n',
  );
}

/** Names of fewer people are not printed, although their shares count. */
const FEWEST_PRINTED = 100;
const MOST_PRINTED = 10;

/** Returns what a snapshot would change: how many names, and those whose share grows most. */
export function snapshotReport({ people, given, family, housemates, changes }: ProposedSnapshot): string {
  const summary =
    `${count(people)} people are listed. ${count(given.size)} given and ${count(family.size)} family names, of 20 people or more each, are more ` +
    `common among them than in the United States. ${count(changes.length)} shares change. Beside each, ${share(housemates)} others of the same home are listed in the mean.`;
  const gains = changes.filter(({ people, before, after }) => people >= FEWEST_PRINTED && after > before);
  if (gains.length === 0) return summary;
  const row = ({ field, name, people, before, after }: NameChange): string[] => [
    `${field} ${name}`,
    count(people),
    percent(before),
    percent(after),
  ];
  const largest = table(['name', 'people', 'share so far', 'share to be'], gains.slice(0, MOST_PRINTED).map(row));
  return `${summary}\n\n${largest}`;
}
