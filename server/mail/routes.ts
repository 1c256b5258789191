import { ApiError } from '#server/api-error.ts';
import type { Queryable } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { demoMailbox } from './mailbox.ts';

/** The mailbox of a demo installation. Anybody may read it there, so it is nowhere else. */
export const mailRoutes = ({ db, demo }: { db: Queryable; demo: boolean }): RegisteredRoute[] => [
  route('GET /api/demo/mailbox', () => {
    if (!demo) throw new ApiError('NOT_FOUND');
    return demoMailbox(db);
  }),
];
