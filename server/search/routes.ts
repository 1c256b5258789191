import { asActor } from '#server/access/door.ts';
import { writeAudit } from '#server/audit/write.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { countOpen, countResolved, inboxHashes, searchInbox } from './inbox.ts';

export function searchRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('POST /api/pings', ({ actor, body, request }) =>
      asActor(db, actor, 'canViewPings', async (tx) => {
        const results = await searchInbox(tx, body, clock());
        // A page of the list shows names, birth dates and stays: who looked must be found as for a single patient.
        const detail = { patientIds: results.patients.map(({ id }) => id) };
        const seen = { action: 'inbox.view', subject: 'patient', subjectId: null, detail } as const;
        if (results.patients.length > 0) await writeAudit(tx, { ...seen, now: clock(), requestId: request.id });
        return results;
      }),
    ),
    route('GET /api/pings/count/:kind', async ({ actor, params }) => ({
      count: await asActor(db, actor, 'canViewPings', params.kind === 'open' ? countOpen : countResolved),
    })),
    route('POST /api/pings-result-hashes', ({ actor, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => inboxHashes(tx, body, clock())),
    ),
  ];
}
