/**
 * `npm run --silent audit:searches < name.txt`: prints who searched for the words on standard input, one call a line. They are read from there so
 * that no name gets into a shell's history or a list of processes. Reads only, also while Tidings runs.
 */
import { text } from 'node:stream/consumers';
import { auditHash } from '#server/people/audit/audit-hash.ts';
import { findSearches } from '#server/people/audit/find-searches.ts';
import { replacedKey } from '#server/people/audit/verify-seals.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { findDatabase } from './installation-database.ts';

try {
  if (process.stdin.isTTY) console.error('Type the name, then Ctrl-D.');
  const words = (await text(process.stdin)).trim();
  if (words === '') throw new Error('no words on standard input');
  const { urls, stop } = await findDatabase();
  const open = (url: string) => openDatabase(url, { max: 1, applicationName: 'tidings audit searches' });
  const [app, pipeline] = [open(urls.app), open(urls.pipeline)];
  try {
    const found = await findSearches(pipeline, words, await auditHash(app));
    console.log(['time', 'user', 'team', 'address', 'action', 'request', 'words'].join('\t'));
    for (const { at, userId, teamId, address, action, requestId, isWhole } of found)
      console.log(
        [at, userId, teamId, address, action, requestId, isWhole ? 'all' : 'some'].map((cell) => cell ?? '').join('\t'),
      );
    const replaced = await replacedKey(pipeline);
    if (replaced !== null) throw new Error(replaced);
  } finally {
    await Promise.all([app.close(), pipeline.close()]);
    await stop();
  }
} catch (error) {
  console.error(`Not all searches could be found: ${(error as Error).message}`);
  process.exitCode = 1;
}
