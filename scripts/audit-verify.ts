/**
 * `npm run audit:verify [-- <seal>:<hash>]`: recomputes the seals of the audit log and exits with 1 if entries or openings were changed, removed
 * or slipped in, if entries are not sealed in time, or if the key of the hashes was replaced. Reads only, also while Tidings runs. With a seal that was noted before, it also finds a chain that was made anew.
 */
import { type KnownSeal, type Verification, verifySeals } from '#server/people/audit/verify-seals.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { findDatabase } from './installation-database.ts';

function knownSeal(argument: string | undefined): KnownSeal | undefined {
  if (argument === undefined) return undefined;
  const [, id = '', hash = ''] = /^(\d+):([\da-f]{64})$/.exec(argument) ?? [];
  if (id === '') throw new Error('A seal is written as <number>:<64 hexadecimal digits>');
  return { id, hash };
}

function print({ seals, entries, droppedBatches, unsealed, newest, problems, notes }: Verification): void {
  for (const line of [...problems, ...notes]) console.log(line);
  const dropped = droppedBatches > 0 ? `, ${droppedBatches} batches past their retention` : '';
  console.log(`${seals} seals over ${entries} unchanged entries${dropped}; ${unsealed} entries are not sealed yet.`);
  if (newest !== null)
    console.log(`Newest seal, ${newest.sealedAt}. Keep it outside of this machine: ${newest.id}:${newest.hash}`);
  console.log(
    problems.length === 0
      ? 'The audit log is intact.'
      : `The audit log could not be shown to be intact: ${problems.length} problems.`,
  );
}

try {
  const known = knownSeal(process.argv[2]);
  const { urls, stop } = await findDatabase();
  const db = openDatabase(urls.pipeline, { max: 1, applicationName: 'tidings audit verify' });
  try {
    const verification = await verifySeals(db, new Date(), known);
    print(verification);
    if (verification.problems.length > 0) process.exitCode = 1;
  } finally {
    await db.close();
    await stop();
  }
} catch (error) {
  console.error(`The audit log could not be verified: ${(error as Error).message}`);
  process.exitCode = 1;
}
