/**
 * `npm run propose:matching`: estimates the matcher's numbers on this installation's own records and prints them beside its table. Reads only, also while
 * Tidings runs. `-- --freeze [--yes]` stores what the lists are like instead; `--yes` doesn't ask first. docs/matching.md, "A site's own numbers".
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { newestSnapshot } from '#server/record/matching/list-snapshots.ts';
import { evaluateSoon } from '#server/record/new-version/evaluate-anew.ts';
import { MATCHER_VERSION } from '#server/record/scoring/decide.ts';
import { countLists, freezeSnapshot, proposeSnapshot } from '#server/record/site-numbers/freeze-snapshot.ts';
import { proposeNumbers } from '#server/record/site-numbers/propose-numbers.ts';
import { proposalReport, snapshotReport } from '#server/record/site-numbers/report.ts';
import { findDatabase } from './installation-database.ts';

const READ_ONLY = { readOnly: true, isolation: 'repeatable read' } as const;

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('Nothing was frozen. Without a terminal, confirm with --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Freeze this as a new snapshot? It counts from then on. [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function freeze(db: Database, isSure: boolean): Promise<void> {
  const proposed = await db.transaction(
    async (tx) => proposeSnapshot(await countLists(tx), await newestSnapshot(tx)),
    READ_ONLY,
  );
  console.log(snapshotReport(proposed));
  if (!proposed.isNew) return console.log('Nothing was frozen, because nothing would change.');
  if (!isSure && !(await isConfirmed())) return console.log('Nothing was frozen.');
  const number = await freezeSnapshot(db, proposed, new Date());
  await evaluateSoon(db, new Date());
  console.log(`Snapshot ${number} counts from now on: the matcher's version is ${MATCHER_VERSION}.${number}.`);
}

try {
  const { values } = parseArgs({
    options: { freeze: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } },
  });
  const { urls, stop } = await findDatabase();
  const db = openDatabase(urls.pipeline, { max: 1, applicationName: 'tidings propose matching' });
  try {
    if (values.freeze) await freeze(db, values.yes);
    else console.log(proposalReport(await db.transaction(proposeNumbers, READ_ONLY)));
  } finally {
    await db.close();
    await stop();
  }
} catch (error) {
  console.error(`propose:matching: ${(error as Error).message}`);
  process.exitCode = 1;
}
