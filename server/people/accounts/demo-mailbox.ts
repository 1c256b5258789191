import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { demoMailbox } from '#server/platform/mail/mailbox.ts';

/** The mailbox of a demo installation. It is open to everyone, so every other installation answers NOT_FOUND. */
export const mailRoutes = ({ db, demo }: { db: Queryable; demo: boolean }): RegisteredRoute[] => [
  route('GET /api/demo/mailbox', () => {
    if (!demo) throw new ApiError('NOT_FOUND');
    return demoMailbox(db);
  }),
];
