import type { GeneratedSystem } from './health-system.ts';
import type { Found } from './stored.ts';
import type { Truth } from './truth.ts';

/** Returns what is true and not found ('-'), or found and not true ('+'), one line each. */
export function differencesFrom(truth: Truth, found: Found): string[] {
  const mayBeMissing = (line: string) => truth.openPrograms.some((program) => line.startsWith(`${program} `));
  const mayBeFound = (line: string) =>
    truth.openDeaths.some(({ facility, at }) => line.includes(`${facility} `) && line.endsWith(` DECEASED ${at}`));
  const unknown = found.records.filter((record) => !truth.records.includes(record));
  const lines = (['visits', 'events', 'patients', 'pings'] as const).flatMap((name) => {
    const missing = without(truth[name], found[name], fits).filter((line) => !mayBeMissing(line));
    const unexpected = without(found[name], truth[name], (line, truly) => fits(truly, line)).filter(
      (line) => !mayBeFound(line),
    );
    return [...missing.map((line) => `- ${name}: ${line}`), ...unexpected.map((line) => `+ ${name}: ${line}`)].sort();
  });
  return [...lines, ...unknown.map((record) => `+ records: ${record}`)];
}

/** Whether a line has each word of the truth, or any word for an asterisk. */
function fits(truth: string, line: string): boolean {
  const words = line.split(' ');
  const expected = truth.split(' ');
  return words.length === expected.length && expected.every((word, index) => word === '*' || word === words[index]);
}

/** Returns the lines of a list that have no fitting one in another list. Each of the others fits one line. */
function without(
  lines: readonly string[],
  others: readonly string[],
  fit: (line: string, other: string) => boolean,
): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.findIndex((other) => fit(line, other));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Describes a system in which something differs, so that a reader can see why. */
export const report = ({ seed, stories, system }: GeneratedSystem, when: string, lines: readonly string[]): string =>
  [
    `${seed} (${stories.join(', ')}) ${when}, sender ${JSON.stringify(system.sender)}, facilities`,
    ...system.facilities.map((facility) => `    ${JSON.stringify(facility)}`),
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
