/** `npm run rebuild`: reads stored messages again and replaces facts that read differently today, also while Tidings runs. See docs/operations.md. */
import { counted } from '#contract/counted.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { type Rebuilt, rebuild } from '#server/rebuild/rebuild.ts';
import { findDatabase } from './installation-database.ts';

const SAY_EVERY = 5000;
const NO_TABLE = '42P01';

function print({ isFinished, read, changed, unread, withoutText, failed }: Rebuilt): void {
  for (const { messageId, reason } of failed) console.error(`Message ${messageId} stays as it was: ${reason}`);
  if (!isFinished) {
    console.log('Stopped. Run it again to go on.');
    return;
  }
  const unchanged = read - changed - unread - failed.length;
  console.log(
    `${counted(read, 'message')} read again: ${changed.toLocaleString('en-US')} gave other facts, which are in the record now; ${unchanged.toLocaleString('en-US')} unchanged.`,
  );
  console.log(
    `${unread.toLocaleString('en-US')} give none by today's settings and keep theirs, and so do ${withoutText.toLocaleString('en-US')} without text. ${failed.length} failed.`,
  );
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  if (process.argv.length > 2) throw new Error('It takes no arguments');
  const { urls, stop } = await findDatabase();
  const database = openDatabase(urls.pipeline, { max: 2, applicationName: 'tidings rebuild' });
  let saidAt = 0;
  try {
    const rebuilt = await rebuild({
      database,
      clock: () => new Date(),
      signal: stopping.signal,
      onProgress: ({ afterMessage, lastMessage }) => {
        if (Date.now() - saidAt < SAY_EVERY) return;
        saidAt = Date.now();
        console.log(`Message ${afterMessage} of ${lastMessage}`);
      },
    });
    print(rebuilt);
    process.exitCode = rebuilt.failed.length > 0 || !rebuilt.isFinished ? 1 : 0;
  } finally {
    await database.close();
    await stop();
  }
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  const why =
    code === NO_TABLE ? 'start this version of Tidings once, so that its database is brought up to date' : message;
  console.error(`Nothing more was rebuilt: ${why}. What was rebuilt before stays.`);
  process.exitCode = 1;
}
