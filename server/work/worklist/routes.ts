import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { changeStatuses } from '#server/record/pings/change-status.ts';
import { countOwn, handOver, undoHandOver } from './hand-over.ts';
import { eachStay } from './many-stays.ts';
import { colleagues } from './queries.ts';
import { recentlyDone, undoDone } from './recently-done.ts';
import { assignStay, snoozeStay, workHistory } from './stay-work.ts';
import { endViewing, noteViewing } from './viewers.ts';

export interface WorklistDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function worklistRoutes({ db, clock }: WorklistDeps): RegisteredRoute[] {
  return [...sharedRoutes({ db, clock }), ...ownRoutes({ db, clock })];
}

/** Changes of stays, and what colleagues see of each other. */
function sharedRoutes({ db, clock }: WorklistDeps): RegisteredRoute[] {
  return [
    route('POST /api/colleagues', ({ actor, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => colleagues(tx, body.query.trim().toLowerCase()), { readOnly: true }),
    ),
    route('POST /api/stays/assign', async ({ actor, body: { stays, userId }, request }) => {
      const outcomes = await eachStay(
        db,
        actor,
        stays,
        { now: clock(), requestId: request.id, log: request.log },
        (tx, stay, change) => assignStay(tx, { ...stay, userId }, change),
      );
      return outcomes.map(({ result: work, ...outcome }) => ({ ...outcome, work }));
    }),
    route('POST /api/stays/snooze', async ({ actor, body: { stays, until }, request }) => {
      const outcomes = await eachStay(
        db,
        actor,
        stays,
        { now: clock(), requestId: request.id, log: request.log },
        (tx, stay, change) => snoozeStay(tx, { ...stay, until }, change),
      );
      return outcomes.map(({ result: work, ...outcome }) => ({ ...outcome, work }));
    }),
    route('POST /api/stays/management-status', async ({ actor, body: { stays, ...wanted }, request }) => {
      const outcomes = await eachStay(
        db,
        actor,
        stays,
        { now: clock(), requestId: request.id, log: request.log },
        (tx, stay, { now, requestId }) => changeStatuses(tx, { ...stay, ...wanted }, now, requestId),
      );
      return outcomes.map(({ patientId, result, refused }) => ({
        patientId,
        statusIds: result && result.map(({ id }) => id),
        refused,
      }));
    }),
    route('GET /api/patients/:id/work-history', ({ actor, params }) =>
      asActor(db, actor, 'canViewPings', (tx) => workHistory(tx, params.id), { readOnly: true }),
    ),
    route('POST /api/patients/:id/viewing', ({ actor, params }) =>
      asActor(db, actor, 'canViewPings', (tx) => noteViewing(tx, params.id, clock()), { byKeys: true }),
    ),
    route('DELETE /api/patients/:id/viewing', ({ actor, params }) =>
      asActor(db, actor, 'canViewPings', (tx) => endViewing(tx, params.id)),
    ),
  ];
}

/** What a user has taken and done. */
function ownRoutes({ db, clock }: WorklistDeps): RegisteredRoute[] {
  return [
    route('GET /api/hand-over', ({ actor }) => asActor(db, actor, 'canManagePings', countOwn, { readOnly: true })),
    route('POST /api/hand-over', ({ actor, body, request }) =>
      asActor(db, actor, 'canManagePings', (tx) => handOver(tx, body, { now: clock(), requestId: request.id }), {
        retries: 3,
      }),
    ),
    route('POST /api/hand-over/undo', ({ actor, body, request }) =>
      asActor(db, actor, 'canManagePings', (tx) => undoHandOver(tx, body, { now: clock(), requestId: request.id }), {
        retries: 3,
      }),
    ),
    route('GET /api/recently-done', ({ actor, query }) =>
      asActor(db, actor, 'canManagePings', (tx) => recentlyDone(tx, clock(), query.before), { readOnly: true }),
    ),
    route('POST /api/recently-done/undo', ({ actor, body, request }) =>
      asActor(db, actor, 'canManagePings', (tx) => undoDone(tx, body, { now: clock(), requestId: request.id }), {
        retries: 3,
      }),
    ),
  ];
}
