/**
 * Measures how long parsing a clinical document (into a tree) and reading it (parsing, and saying what its sections and entries mean) take, against
 * the same parser with the same options and handlers that do nothing: on a document of a megabyte, on the published samples if they are on this
 * machine, and on documents made to take time.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { decodeXml } from '#server/intake/ccda/decode-xml.ts';
import { readDocument } from '#server/intake/ccda/read-document.ts';
import { Unreadable } from '#server/intake/ccda/unreadable.ts';
import { PARSER_OPTIONS, readXml } from '#server/intake/ccda/xml-tree.ts';
import { SHAPES } from '#server/testing/hostile-documents.ts';
import { largeDocument } from '#server/testing/large-document.ts';
import { note } from './figures.ts';
import { table } from './table.ts';

/** Beside the project, also if this is a worktree of it. */
const SAMPLES = ['../../shared/samples/ccda', '../../../shared/samples/ccda'].map((path) =>
  join(import.meta.dirname, path),
);
/** Those that the reader listens to. A seventh would slow the parser down. */
const EVENTS = ['doctype', 'attribute', 'opentag', 'closetag', 'text', 'cdata'] as const;
/** A shape is measured at this many elements, and at four times as many. */
const ELEMENTS = 20_000;
const TIMES = 4;

function parse(bytes: Buffer): void {
  const parser = new SaxesParser(PARSER_OPTIONS);
  for (const event of EVENTS) parser.on(event, () => undefined);
  for (const piece of decodeXml(bytes)) parser.write(piece);
  parser.close();
}

function read(bytes: Buffer, how: (bytes: Buffer) => unknown): void {
  try {
    how(bytes);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
}

/** Bytes that are read in one measurement, so that it takes many ticks of the clock: a document is read several times. */
const MEASURED = 8_000_000;

/** Both shares: only their sum is exact, Linux divides it by ticks of some milliseconds. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** Returns the milliseconds of this thread that the work takes, on average of so many times. */
const time = (work: () => void, times: number): number => {
  const before = cpuTime();
  for (let count = 0; count < times; count += 1) work();
  return (cpuTime() - before) / 1000 / times;
};

/** A section's tree gives way when it ends, as it does to what is read of it. */
const toTree = (bytes: Buffer): unknown => readXml(bytes, ({ name }) => (name === 'section' ? [] : undefined));

const MEASURES = {
  parser: parse,
  tree: (bytes: Buffer) => read(bytes, toTree),
  reader: (bytes: Buffer) => read(bytes, readDocument),
};
type Times = Record<keyof typeof MEASURES, number>;

/** Returns the shortest times of this thread in milliseconds, taken in turns: what else runs on the machine only adds to them. */
function timesOf(bytes: Buffer, rounds: number): Times {
  const times = Math.max(1, Math.round(MEASURED / bytes.length));
  const shortest: Times = {
    parser: Number.POSITIVE_INFINITY,
    tree: Number.POSITIVE_INFINITY,
    reader: Number.POSITIVE_INFINITY,
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(MEASURES) as [keyof Times, (bytes: Buffer) => void][])
      shortest[name] = Math.min(
        shortest[name],
        time(() => work(bytes), times),
      );
  }
  return shortest;
}

const isWellFormed = (bytes: Buffer): boolean => {
  try {
    parse(bytes);
    return true;
  } catch {
    return false;
  }
};

function samples(): [name: string, bytes: Buffer][] {
  const folder = SAMPLES.find((each) => existsSync(each));
  const files = folder ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : [];
  return files
    .map((name): [string, Buffer] => [name, readFileSync(join(folder ?? '', name))])
    .filter(([, bytes]) => isWellFormed(bytes));
}

const figures = ({ parser, tree, reader }: Times): string[] => [
  ms(parser),
  ms(tree),
  ms(reader),
  (tree / parser).toFixed(2),
  (reader / parser).toFixed(2),
];
const kilobytes = (bytes: Buffer): string => `${Math.round(bytes.length / 1024)} kB`;
const ms = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;

/** Runs the bench and prints two tables. */
export function benchDocuments(rounds: number): void {
  const documents: [string, Buffer][] = [['1 MB, made for this bench', largeDocument(1_000_000)], ...samples()];
  for (const [, bytes] of documents) timesOf(bytes, 1);
  const measured = documents.map(([name, bytes]) => ({ name, bytes, ...timesOf(bytes, rounds * 2) }));
  const total = (of: keyof Times) => measured.reduce((sum, each) => sum + each[of], 0);
  for (const [of, what] of [
    ['tree', 'parsed into a tree'],
    ['reader', 'parsed and read'],
  ] as const)
    note({
      part: 'documents',
      what: `${measured.length} documents ${what}`,
      value: total(of),
      unit: 'ms',
      peer: { what: 'parser', value: total('parser') },
      bar: { most: 1.5 },
    });
  table(
    'Clinical documents, against the same parser with handlers that do nothing ("tree": parsed, at most 1.5; "reader": parsed and read)',
    ['document', 'size', 'parser', 'tree', 'reader', 'tree to parser', 'reader to parser'],
    [
      ...measured.map(({ name, bytes, ...times }) => [name, kilobytes(bytes), ...figures(times)]),
      ['together', '', ...figures({ parser: total('parser'), tree: total('tree'), reader: total('reader') })],
    ],
  );
  table(
    `Documents made to take time, of ${ELEMENTS} elements and of ${TIMES} times as many ("grows": reader against parser, 1 if linear)`,
    ['shape', 'size', 'parser', 'reader', 'reader, large', 'grows'],
    Object.entries(SHAPES).map(([name, shape]) => {
      const [small, large] = [shape(ELEMENTS), shape(ELEMENTS * TIMES)];
      timesOf(small, 2);
      const [first, second] = [timesOf(small, rounds), timesOf(large, rounds)];
      const grows = second.reader / first.reader / (second.parser / first.parser);
      return [name, kilobytes(large), ms(second.parser), ms(first.reader), ms(second.reader), grows.toFixed(2)];
    }),
  );
}
