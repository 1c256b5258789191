/**
 * `npm run matching:doubts`: lists the links that an earlier version of the matcher made and the present one would not make, those that show the most
 * visits first (docs/matching.md, "A new version"). Prints ids, names of groups, and levels of agreement; reads only, also while Tidings runs.
 */
import { openDatabase } from '#server/platform/database/pool.ts';
import { type DoubtfulLink, doubtfulLinks } from '#server/record/new-version/doubtful-links.ts';
import { findDatabase } from './installation-database.ts';

const TODAY = { matched: 'link someone else', review: 'ask a person', new: 'link no one' } as const;

function print(link: DoubtfulLink): void {
  const { fields, vetoes } = link.evidence;
  const compared = Object.entries(fields).filter(([, level]) => level !== 'missing');
  const subject = link.kind === 'SOURCE_PATIENT' ? 'Patient' : 'Listing';
  console.log(
    `Link ${link.linkId}: ${subject} ${link.subjectId} of group ${link.groupId} (${link.groupName}) to person ${link.personId}`,
  );
  console.log(
    `  since ${link.linkedAt}, by version ${link.madeBy ?? 'unknown'}, ${link.rule ?? 'no rule'}; today: ${TODAY[link.outcome]}`,
  );
  console.log(`  ${compared.map(([field, level]) => `${field} ${level}`).join(', ')}`);
  if (vetoes.length > 0) console.log(`  against it: ${vetoes.join(', ')}`);
  console.log(`  shown by it: visits ${link.visits}, to groups ${link.groups}, with pings ${link.pings}`);
}

try {
  const { urls, stop } = await findDatabase();
  const db = openDatabase(urls.pipeline, { max: 1, applicationName: 'tidings matching doubts' });
  try {
    const links = await doubtfulLinks(db);
    links.forEach(print);
    console.log(`Links made by an earlier version of the matcher that would not be made today: ${links.length}`);
  } finally {
    await db.close();
    await stop();
  }
} catch (error) {
  console.error(`The links could not be listed: ${(error as Error).message}`);
  process.exitCode = 1;
}
