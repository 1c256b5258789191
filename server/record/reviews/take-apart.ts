/** Takes back a link that the matcher made, because someone sees that it is wrong. Whether the two are one person is then a review. */
import type { Transaction } from '#server/platform/database/pool.ts';
import { createPersons, loadLinks } from '#server/record/matching/queries.ts';
import { personOf, relink } from '#server/record/matching/relink.ts';
import { type Subject, subjectKey } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { decideAgain, identifyAround } from './decide-again.ts';
import { companionsOf } from './joined-subjects.ts';
import { settleMerges } from './settle-merges.ts';

/**
 * Moves the subject to a person of its own, where the matcher leaves it until a review of it is decided. One opens if it still looks like someone else.
 * Those who stay are identified again: some may have been linked only by its record. Returns what moved, or null if no one else is that person, or not by
 * the matcher. `decidedBy`: null for whoever runs the installation.
 */
export async function takeApart(
  db: Transaction,
  subject: Subject,
  { decidedBy, now }: { decidedBy: string | null; now: Date },
): Promise<Relinked[] | null> {
  const from = await personOf(db, subject);
  const link = (await loadLinks(db, [subject])).get(subjectKey(subject));
  const { joined, rest } = await companionsOf(db, subject, from);
  // Of a record that came first, the links of the others say how they were joined.
  const isByMatcher =
    link?.outcome === 'matched' || (link?.outcome === 'new' && joined.length === 0 && rest.length > 0);
  if (link === undefined || !isByMatcher || joined.length + rest.length === 0) return null;
  const [to = ''] = await createPersons(db, 1, now);
  const relinked = await relink(db, subject, to, {
    decidedBy,
    now,
    outcome: 'undone',
    ruleId: link.ruleId,
    // Whichever of the two links the matcher made, it does not make it again (`isPinned`).
    evidence: { undone: link.id, was: 'matched' },
  });
  await settleMerges(db, subject, now);
  await decideAgain(db, subject, [], now);
  const others = rest.map((other) => other.subject);
  const around = await identifyAround(db, [from, to], { subjects: others, except: subject, now });
  return [...relinked, ...around];
}
