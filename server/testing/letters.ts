import { sql } from '#server/platform/database/sql.ts';
import type { Letter } from '#server/platform/mail/outbox.ts';
import type { TestDatabase } from './database.ts';

/** Returns the letters to a recipient, oldest first. */
export async function lettersTo(database: TestDatabase, recipient: string): Promise<Letter[]> {
  const { rows } = await database.owner.query<Letter>(
    sql`select channel, recipient, subject, body from outbox where recipient = ${recipient} order by id`,
  );
  return rows;
}

/** Returns the token of the link in a letter, or '' if there is none. */
export const tokenIn = (letter: Letter | undefined): string => /#token=([\w-]+)/.exec(letter?.body ?? '')?.[1] ?? '';
