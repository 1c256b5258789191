import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRandom } from './random.ts';
import { npi, ROSTER_COLUMNS, ROSTER_GROUPS, rosterCsvLines, typo } from './rosters.ts';
import { demoWorldOptions, makeWorld, rosterCsv, streamRoster } from './world.ts';

const options = {
  seed: 'roster-test',
  people: 900,
  visits: 50,
  from: '2026-01-01T00:00:00Z',
  to: '2026-03-01T00:00:00Z',
};
const world = makeWorld(options);

test('each group lists people under its own member ids, and some people are on no roster', () => {
  for (const group of ROSTER_GROUPS) {
    const rows = world.rosters[group];
    expect(rows.length).toBeGreaterThan(150);
    expect(new Set(rows.map((row) => row.cells[0])).size).toBe(rows.length);
    for (const row of rows) expect(row.cells).toHaveLength(ROSTER_COLUMNS.length);
  }
  const listed = new Set(ROSTER_GROUPS.flatMap((group) => world.rosters[group].map((row) => row.person)));
  expect(world.people.filter((person) => !listed.has(person.id)).length).toBeGreaterThan(100);
});

test('only adults are listed, and only people with Medicare in its programs', () => {
  const columnOf = (name: (typeof ROSTER_COLUMNS)[number]) => ROSTER_COLUMNS.indexOf(name);
  const people = new Map(world.people.map((person) => [person.id, person]));
  for (const { person, cells } of ROSTER_GROUPS.flatMap((group) => world.rosters[group])) {
    const { birthDate, medicareId } = people.get(person) as (typeof world.people)[number];
    expect(birthDate < '2009').toBe(true);
    const [program, insurance] = [cells[columnOf('Program')] ?? '', cells[columnOf('Insurance')] ?? ''];
    if (/Shared Savings|Pines Advantage|Heart Failure/.test(program) || /Medicare/.test(insurance))
      expect(medicareId).not.toBeNull();
  }
});

test("at most one of a person's rows differs from the truth", () => {
  const odd = ROSTER_GROUPS.flatMap((group) => world.rosters[group]).filter((row) => row.variant !== 'exact');
  expect(new Set(odd.map((row) => row.person)).size).toBe(odd.length);
  expect(new Set(odd.map((row) => row.variant)).size).toBe(6);
});

test('the file has plain column names, dates as MM/DD/YYYY, and lines that end in CR LF', () => {
  const lines = rosterCsv(world, 'lakeshore-aco').split('\r\n');
  expect(lines[0]).toBe(ROSTER_COLUMNS.join(','));
  expect(lines.at(-1)).toBe('');
  expect(lines).toHaveLength(world.rosters['lakeshore-aco'].length + 2);
  expect(lines[1]).toMatch(/,\d\d\/\d\d\/\d{4},(Female|Male),/);
});

test('a streamed file is the same file', () => {
  expect([...streamRoster(options, 'harborview')].join('')).toBe(rosterCsv(world, 'harborview'));
});

test('cells with commas or quotes are quoted', () => {
  const cells = ROSTER_COLUMNS.map(() => '');
  cells[3] = 'Say "Ah", Jr';
  const [, line] = [...rosterCsvLines([{ group: 'harborview', person: 1, variant: 'exact', cells }])];
  expect(line).toBe(`,,,"Say ""Ah"", Jr"${','.repeat(ROSTER_COLUMNS.length - 4)}\r\n`);
});

test('provider numbers end in a valid check digit', () => {
  // The NPI standard's own example: 123456789 has the check digit 3.
  expect(npi(23_456_789)).toBe('1234567893');
});

test('a typo is a single edit inside the word', () => {
  const random = makeRandom('typo');
  for (let round = 0; round < 200; round++) {
    const word = typo(random, 'Clearwater');
    expect(Math.abs(word.length - 10)).toBeLessThanOrEqual(1);
    expect(word.startsWith('C') && word.endsWith('r')).toBe(true);
  }
});

test("the README's first message is about someone on the ACO's roster", () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, family, given, birthDate, zip] = /MR\|\|(\w+)\^(\w+)\|\|(\d{8})\|F\|{3}\^{4}(\d{5})/.exec(readme) ?? [];
  const { rosters } = makeWorld(demoWorldOptions('2026-11-20T12:00:00.000Z'));
  const [year, month, day] = [birthDate?.slice(0, 4), birthDate?.slice(4, 6), birthDate?.slice(6)];
  const wanted = [given, family, `${month}/${day}/${year}`, 'Female', zip];
  expect(
    rosters['lakeshore-aco'].filter(({ cells }) => wanted.every((cell) => cells.includes(cell ?? ''))),
  ).toHaveLength(1);
});
