/**
 * `npm run matching:doubts`: lists the links that an earlier version of the matcher made and the present one would not make, those that show the most
 * visits first (docs/matching.md, "A new version"). Prints ids, names of groups, and levels of agreement; reads only, also while Tidings runs.
 * `-- --take-apart 4711` takes a wrong link of the list back.
 */
import { parseArgs } from 'node:util';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { loadLinks } from '#server/record/matching/queries.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { type DoubtfulLink, doubtfulLinks } from '#server/record/new-version/doubtful-links.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { takeApart } from '#server/record/reviews/take-apart.ts';
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

/** Takes the link apart, as who reads why there was a ping does in the browser. Throws if it is not a link that the matcher made and that is in force. */
async function takeLinkApart(db: Database, linkId: string): Promise<void> {
  const now = new Date();
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<Subject>(
      sql`select subject as kind, subject_id as id from person_links where id = ${linkId}`,
    );
    const [subject] = rows;
    const newest = subject && [...(await loadLinks(tx, [subject])).values()][0];
    const moved = newest?.id === linkId ? await takeApart(tx, newest.subject, { decidedBy: null, now }) : null;
    if (moved === null) throw new Error(`link ${linkId} is none that the matcher made and that is in force`);
    await resendMoved(tx, moved, now);
    const entry = { action: 'match-review.take-apart', subject: 'match-review' as const, subjectId: null };
    await writeAuditAs(
      tx,
      { userId: null },
      { ...entry, detail: { separated: newest?.subject }, requestId: null, now },
    );
  });
}

const { values: given } = parseArgs({ options: { 'take-apart': { type: 'string' } } });
const linkId = given['take-apart'];

try {
  if (linkId !== undefined && !/^\d{1,18}$/.test(linkId)) throw new Error(`${linkId} is not the number of a link`);
  const { urls, stop } = await findDatabase();
  const db = openDatabase(urls.pipeline, { max: 1, applicationName: 'tidings matching doubts' });
  try {
    if (linkId === undefined) {
      const links = await doubtfulLinks(db);
      links.forEach(print);
      console.log(`Links made by an earlier version of the matcher that would not be made today: ${links.length}`);
    } else {
      await takeLinkApart(db, linkId);
      console.log(
        `Link ${linkId} was taken apart, and its pings are retracted. If the two look alike, their match waits for a decision.`,
      );
    }
  } finally {
    await db.close();
    await stop();
  }
} catch (error) {
  console.error(`Nothing was ${linkId === undefined ? 'listed' : 'changed'}: ${(error as Error).message}`);
  process.exitCode = 1;
}
