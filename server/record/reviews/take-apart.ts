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
 * Moves the subject to a person of its own, where the matcher leaves it until its review is decided; a review opens if it still looks like someone else. Those
 * who stay are identified again: some may have been linked only by its record. Returns what moved, or null if the matcher did not link the
 * subject, or nobody else is that person any more. `decidedBy`: null for whoever runs the installation.
 */
export async function takeApart(
  db: Transaction,
  subject: Subject,
  { decidedBy, now }: { decidedBy: string | null; now: Date },
): Promise<Relinked[] | null> {
  const from = await personOf(db, subject);
  const link = (await loadLinks(db, [subject])).get(subjectKey(subject));
  const { joined, rest } = await companionsOf(db, subject, from);
  if (link?.outcome !== 'matched' || joined.length + rest.length === 0) return null;
  const [to = ''] = await createPersons(db, 1, now);
  const relinked = await relink(db, subject, to, {
    decidedBy,
    now,
    outcome: 'undone',
    ruleId: link.ruleId,
    evidence: { undone: link.id, was: link.outcome },
  });
  await settleMerges(db, subject, now);
  await decideAgain(db, subject, [], now);
  const others = rest.map((other) => other.subject);
  const around = await identifyAround(db, [from, to], { subjects: others, except: subject, now });
  return [...relinked, ...around];
}
