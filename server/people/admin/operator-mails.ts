/**
 * Mails operators that something waits for them. A job of the pipeline's role sends them, because administrators do not see who
 * the operators are.
 */
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { MAIL_EVERY } from './admin-mails.ts';

/** The job that mails operators; its payload is `{ kind }`. */
export const OPERATOR_MAIL_TASK = 'mail-operators';

/** What can wait: a program's first roster, the sender of a feed, or manual entry at a facility. */
export type WaitingKind = 'roster' | 'sender' | 'facility';

const TEXTS: Record<WaitingKind, { subject: string; opening: string; path: string }> = {
  roster: {
    subject: 'A roster waits for your approval',
    opening: "A program's first roster waits until an operator approves it.",
    path: '/admin/groups',
  },
  sender: {
    subject: 'A sender waits for your approval',
    opening: 'The sender of a feed waits until an operator approves it.',
    path: '/feeds',
  },
  facility: {
    subject: 'A facility waits for your approval',
    opening: 'Manual entry at a facility waits until an operator approves it.',
    path: '/admin/groups',
  },
};

/** Queues the mails in the transaction in which something begins to wait. Jobs of one kind run one after the other. */
export async function enqueueOperatorMail(tx: Queryable, kind: WaitingKind): Promise<void> {
  const key = `${OPERATOR_MAIL_TASK}:${kind}`;
  await tx.query(sql`
    select enqueue_job(task => ${OPERATOR_MAIL_TASK}::text, payload => ${JSON.stringify({ kind })}::json,
      queue => ${key}::text, job_key => ${key}::text)`);
}

/** Mails all operators, each at most once an hour about the same kind. `db`: the pipeline's. */
export function mailOperators(db: Database, kind: WaitingKind, publicUrl: string, now: Date): Promise<void> {
  const { subject, opening, path } = TEXTS[kind];
  const since = new Date(now.getTime() - MAIL_EVERY);
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ username: string; experience: ApplicationExperience }>(sql`
      select username, application_experience as experience from users
      where is_operator and disabled_at is null and activated_at is not null
        and not was_mailed(username, ${subject}, ${since}::timestamptz)
      order by id`);
    for (const { username, experience } of rows) {
      const link = `${publicUrl}${experienceBase(experience)}${path}`;
      const body = `${opening} Review it:\n\n${link}\n`;
      await postLetter(tx, { channel: 'e-mail', recipient: username, subject, body }, now);
    }
  });
}
