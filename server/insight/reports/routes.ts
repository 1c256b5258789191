import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { locationsOfPages } from '#contract/used-pages.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Scope } from '#server/people/admin/admin-scope.ts';
import { readAsAdmin } from '#server/people/admin/administer.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { type AccessKey, findAccesses, loadAccesses } from './access-review.ts';
import { pageReport, teamsOfReport } from './page-use.ts';
import { ACCESS_HEADER, accessLine, PAGE_HEADER, pageLine, reportFile, USER_HEADER, userLine } from './report-files.ts';
import { type Asked, findReportedUsers, loadReportedUsers, userReport } from './user-report.ts';

interface ReportDeps {
  /** Connects with the app role. */
  db: Database;
  clock: Clock;
}

/** Reports about users, pages and access. They read as administration does: the own organization, for an operator every one. */
export function reportRoutes({ db, clock }: ReportDeps): RegisteredRoute[] {
  const asked = (scope: Scope, { timeZone }: Actor): Asked => ({ scope, timeZone, now: clock() });
  const readUse = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canViewRouteAuditReport', fn, { readOnly: true });
  return [
    route('GET /api/reports/users', ({ actor, query }) =>
      readAsAdmin(db, actor, (tx, scope) => userReport(tx, asked(scope, actor), query)),
    ),
    route('GET /api/reports/users.csv', async ({ actor, query, reply }) => {
      const ids = await readAsAdmin(db, actor, (tx, scope) => findReportedUsers(tx, asked(scope, actor), query));
      const load = (some: readonly string[]) =>
        readAsAdmin(db, actor, (tx, scope) => loadReportedUsers(tx, asked(scope, actor), some, query.days));
      return sendCsv(reply, 'users.csv', reportFile(USER_HEADER, ids, load, userLine));
    }),

    route('GET /api/reports/route-audit', ({ actor, query }) =>
      readUse(actor, async (tx) => {
        const { pages, total } = await pageReport(tx, query, clock(), query);
        const teams = await teamsOfReport(tx);
        return { pages, teams, locations: locationsOfPages(), total, numPages: Math.ceil(total / query.pageSize) };
      }),
    ),
    route('GET /api/reports/route-audit.csv', async ({ actor, query, reply }) => {
      const { pages } = await readUse(actor, (tx) => pageReport(tx, query, clock()));
      return sendCsv(
        reply,
        'page-use.csv',
        reportFile(PAGE_HEADER, pages, async (some) => some, pageLine),
      );
    }),

    route('GET /api/reports/access-review', ({ actor, query }) =>
      readAsAdmin(db, actor, async (tx, scope) => {
        const { keys, total } = await findAccesses(tx, scope, query, clock(), query);
        const accesses = await loadAccesses(tx, scope, keys, clock());
        return { accesses, total, numPages: Math.ceil(total / query.pageSize) };
      }),
    ),
    route('GET /api/reports/access-review.csv', async ({ actor, query, reply }) => {
      const { keys } = await readAsAdmin(db, actor, (tx, scope) => findAccesses(tx, scope, query, clock()));
      const load = (some: readonly AccessKey[]) =>
        readAsAdmin(db, actor, (tx, scope) => loadAccesses(tx, scope, some, clock()));
      return sendCsv(reply, 'access-review.csv', reportFile(ACCESS_HEADER, keys, load, accessLine));
    }),
  ];
}

const sendCsv = (reply: FastifyReply, fileName: string, file: AsyncGenerator<Buffer>): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(file));
