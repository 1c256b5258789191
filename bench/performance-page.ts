/** Makes docs/performance.md of the figures that runs of the bench left. Pure. */
export interface Figure {
  part: string;
  what: string;
  value: number;
  unit: string;
  /** The same work done in another way, in the same run and unit. */
  peer?: { what: string; value: number };
  /** What the ratio to the peer is held to, or the value itself if there is no peer. */
  bar?: { least: number } | { most: number };
}

export interface Run {
  /** The day it ended. */
  date: string;
  /** `memory` in GB. Null in runs of before it was recorded, which had two cores. */
  machine: { processor: string; cores: number; memory: number; node: string } | null;
  /** How busy the machine was in the minute before, in processes that want to run. */
  load: number;
  figures: Figure[];
}

const INTRODUCTION = `# Performance

Made of [performance.json](performance.json), which \`npm run bench -- --json\` and the commands named below write. Everything runs on one machine: the load generator, Tidings, its
embedded PostgreSQL with production settings and fsync on, and the peer, which does the same work in another way in the same run. So ratios say more than figures. "Load" is how many
processes wanted to run in the minute before. [What was tried](decisions/0114-performance-measured.md) stands with the decisions.
`;

/** What is measured, and by which command. */
const PARTS: Readonly<Record<string, [title: string, command: string, text: string]>> = {
  intake: [
    'Durable intake',
    'npm run bench -- --json --only intake',
    'Messages of 1 kB over MLLP, each acknowledged after its commit. The relay reads a frame, inserts a row and acknowledges, and does nothing else.',
  ],
  growth: [
    'A message with millions before it',
    'npm run bench -- --json --only growth',
    'Processor time of Node and PostgreSQL to store a message of 1 kB, and to take it from the queue and settle it, without what reading it takes. The messages before it are put in by SQL.',
  ],
  people: [
    'A message with millions of people around it',
    'npm run bench -- --json --only people',
    'Processor time of Node and PostgreSQL to process a message about one of the same 10,000 people, in regions of so many people on three rosters.',
  ],
  latency: [
    'From the last byte of a message to the event on an open page',
    'npm run bench -- --json --only latency',
    'The complete server process, one message at a time.',
  ],
  pages: [
    '1,000 open pages',
    'npm run bench -- --json --only pages',
    'The web server in a process of its own. 25 teams, 500 changes a second, each of a visit and its ping, in batches of 50.',
  ],
  hostile: [
    'With a hostile client at every door',
    'npm run bench -- --json --only hostile',
    'A coordinator and a hospital at work, for 30 seconds in peace and 30 seconds while frames without an end, half-sent uploads, large bodies, wrong passwords and forty-word searches come in.',
  ],
  memory: [
    'Memory of the server process',
    'npm run bench -- --json --only memory --minutes 60',
    'The complete server process with 10,000 people, while hospitals send 15 messages a second, three teams read, search and open stories, and a roster comes every four minutes.',
  ],
  processing: [
    'Rosters and messages',
    'npm run bench -- --json --only processing',
    'A region of 100,000 people: its rosters applied and identified, and a part of a year’s messages matched, folded and sent. COPY and INSERT write the same final rows into copies of the tables, with their indexes and foreign keys.',
  ],
  documents: [
    'Reading clinical documents',
    'npm run bench -- --json --only documents',
    'Time of a thread against the same parser, with the same options and handlers that do nothing.',
  ],
  search: [
    'Search',
    'npm run bench -- --json --only search',
    'Total, page and the 50 most frequent values of 32 facets. PostgreSQL and DuckDB with their fastest plan; all results are equal. Dense queries match at least a third of the rows.',
  ],
  http: [
    'The read model over HTTP',
    'npm run bench -- --json --only http',
    'One program of 100,000 people, with permissions.',
  ],
  exports: [
    'Exports',
    'npm run bench -- --json --only exports',
    'A file of encounters, against COPY TO of the same query as the same user.',
  ],
  story: [
    'A long story in the browser',
    'node bench/story-opening.ts --json',
    'From a click to the frame with all visits and diagnoses, in a region of 100,000 people.',
  ],
  inbox: [
    'A large inbox in the browser',
    'node bench/inbox-size.ts --json --pings 20000',
    'From a key or click to the frame that shows the result.',
  ],
  'first page': [
    'The first page after sign-in in the browser',
    'node bench/first-page.ts --json',
    'A cold cache, a processor four times slower, and Chrome’s "Fast 4G".',
  ],
  document: [
    'Opening a document of one megabyte in the browser',
    'node bench/document-opening.ts --json',
    'From the click to text on the screen.',
  ],
};

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

const ratioOf = ({ value, peer }: Figure): number | null => (peer ? value / peer.value : null);

/** Whether the figure is on the right side of its bar; true if it has none. */
export function meetsBar(figure: Figure): boolean {
  const { bar, value } = figure;
  if (!bar) return true;
  const held = ratioOf(figure) ?? value;
  return 'least' in bar ? held >= bar.least : held <= bar.most;
}

const barInWords = ({ bar, peer, unit }: Figure): string => {
  if (!bar) return '';
  const [words, limit] = 'least' in bar ? ['at least', bar.least] : ['at most', bar.most];
  return `${words} ${number(limit)}${peer ? ' times' : ` ${unit}`}`;
};

const row = (figure: Figure): string[] => {
  const { what, value, unit, peer } = figure;
  const ratio = ratioOf(figure);
  const shown = `${number(value)} ${unit}`;
  return [
    what,
    meetsBar(figure) ? shown : `**${shown}**`,
    peer ? `${number(peer.value)} ${unit} (${peer.what})` : '',
    ratio === null ? '' : ratio.toFixed(2),
    barInWords(figure),
  ];
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const inWords = (machine: Run['machine']): string =>
  machine ? `${machine.cores} cores (${machine.processor}), ${machine.memory} GB, Node ${machine.node}` : '2 cores';

const HEAD = ['', 'Tidings', 'peer', 'ratio', 'bar'];

/** Returns the page: what misses its bar, then each part with the run that measured it, newest first. */
export function asDocument(runs: readonly Run[]): string {
  const figures = runs.flatMap((run) => run.figures);
  const missed = figures.filter((figure) => !meetsBar(figure));
  const pieces = [INTRODUCTION, '## Misses its bar\n'];
  pieces.push(
    missed.length === 0
      ? 'Nothing.\n'
      : table(
          ['part', ...HEAD.slice(1)],
          missed.map((each) => [`${PARTS[each.part]?.[0] ?? each.part}: ${row(each)[0]}`, ...row(each).slice(1)]),
        ),
  );
  for (const { date, machine, load, figures: own } of runs)
    for (const [part, ofPart] of Map.groupBy(own, (figure) => figure.part)) {
      const [title, command, text] = PARTS[part] ?? [part, '', ''];
      pieces.push(`## ${title}\n`, `${text}\n`);
      pieces.push(`${date}, \`${command}\`, ${inWords(machine)}, load ${load}.\n`);
      pieces.push(table(HEAD, ofPart.map(row)));
    }
  return pieces.join('\n');
}
