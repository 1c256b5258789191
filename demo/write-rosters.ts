import { Readable } from 'node:stream';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { decideUpload } from '#server/work/rosters/decisions.ts';
import { jobById } from '#server/work/rosters/job.ts';
import { processUpload } from '#server/work/rosters/process.ts';
import { startUndo } from '#server/work/rosters/undo.ts';
import { receiveUpload } from '#server/work/rosters/upload.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';
import { ROSTER_COLUMNS, type RosterRow, rosterCsvLines } from './world/rosters.ts';
import type { World } from './world/world.ts';

const DESMOND: Seat = { user: 'desmond.achterberg', team: 'aco-coordination' };
const GROUP = 'lakeshore-aco';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Cells = Partial<Record<(typeof ROSTER_COLUMNS)[number], string>>;

/** Returns a file with these rows. `change` returns what a row says instead, by its position. */
function fileOf(rows: readonly RosterRow[], change: (at: number) => Cells): string {
  const changed = rows.map((row, at) => {
    const cells = change(at);
    return { ...row, cells: row.cells.map((cell, column) => cells[ROSTER_COLUMNS[column] as keyof Cells] ?? cell) };
  });
  return [...rosterCsvLines(changed)].join('');
}

/** What spreadsheets and people do to a file. Rows with errors leave the people on them as they are. */
function withMistakes(at: number): Cells {
  if (at === 17) return { 'Date of Birth': '13/40/1950' };
  if (at === 41) return { 'Date of Birth': '3/4/41' };
  if (at === 66) return { 'First Name': '' };
  if (at % 97 === 5) return { ZIP: 'K1A 0B1' };
  if (at % 89 === 7) return { 'Home Phone': '774-2231' };
  if (at % 83 === 11) return { Gender: 'lady' };
  return {};
}

/** A practice that moved, and its new number. */
const FAX = { 'Provider Fax': '906-555-0177' } as const;
const NEW_FAX = { 'Provider Fax': '906-555-0178' } as const;

/** Two people who are listed by mistake, and nowhere else. */
const MISTAKEN = ['LA-9000001,Philippa,Tarrant-Boyle,02/11/1948', 'LA-9000002,Casimir,Delacroix-Hume,09/23/1951'];

/**
 * Uploads the accountable care organization's roster as in the past months: with some mistakes; a file without its columns, and corrected; one
 * with two people too many, which is undone. The list ends as it began, but for some fax numbers.
 */
export async function writeRosters(
  { app, pipeline }: { app: Database; pipeline: Database },
  world: World,
  directory: DemoDirectory,
  now: Date,
): Promise<void> {
  const actor = await seated(app, directory, DESMOND);
  const groupId = idOf(directory.groups, GROUP);
  const rows = world.rosters[GROUP];
  const asUploader = <T>(fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(app, actor, 'canUploadRoster', fn);
  const process = (jobId: string, at: Date) => processUpload(pipeline, jobId, { clock: () => at });
  const upload = async (name: string, csv: string, at: Date): Promise<string> => {
    const bytes = Readable.from([Buffer.from(csv)]);
    const file = { name, bytes, relationship: 'CARE_COORDINATION' as const, isPreviewed: true };
    const { jobId, status } = await receiveUpload({ asUploader, clock: () => at }, groupId, file);
    if (status === 'FAILED') return jobId;
    await process(jobId, at);
    const later = new Date(at.getTime() + 4 * MINUTE);
    await asUploader((tx) => decideUpload(tx, jobId, 'APPLYING', later));
    await process(jobId, later);
    return jobId;
  };
  const ago = (days: number, minutes = 0) => new Date(now.getTime() - days * DAY + minutes * MINUTE);
  const current = fileOf(rows, (at) => (at % 40 === 3 ? NEW_FAX : {}));
  const withScores = fileOf(rows, (at) => (at % 20 === 3 ? FAX : {}))
    .split('\r\n')
    .map((line, at) => (line === '' ? line : `${line},${at === 0 ? 'Risk Score' : (at * 37) % 100}`))
    .join('\r\n');
  await upload('lakeshore-aco-september.csv', fileOf(rows, withMistakes), ago(63));
  await upload('lakeshore-aco-october.csv', withScores, ago(34));
  await upload('claims-extract.csv', 'Claim,Paid\r\n1,20.00\r\n', ago(6));
  await upload('lakeshore-aco-november.csv', current, ago(6, 20));
  const columns = ROSTER_COLUMNS.length;
  const tooMany = current + MISTAKEN.map((line) => mistakenRow(line, columns)).join('');
  const jobId = await upload('lakeshore-aco-with-prospects.csv', tooMany, ago(0, -190));
  const undo = await asUploader(async (tx) => {
    const job = await jobById(tx, jobId, tx.groupIds);
    return job && startUndo(tx, job, ago(0, -175));
  });
  if (undo) await process(undo.jobId, ago(0, -175));
}

/** The cells of a line, each in its column, in a line of the whole file. */
function mistakenRow(line: string, columns: number): string {
  const [memberId = '', first = '', last = '', born = ''] = line.split(',');
  const cells = Array.from({ length: columns }, () => '');
  const set = (column: (typeof ROSTER_COLUMNS)[number], value: string): void => {
    cells[ROSTER_COLUMNS.indexOf(column)] = value;
  };
  set('Member ID', memberId);
  set('First Name', first);
  set('Last Name', last);
  set('Date of Birth', born);
  return `${cells.join(',')}\r\n`;
}
