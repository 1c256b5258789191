import type { FastifyInstance } from 'fastify';
import { isMigrated } from '#server/platform/database/migrate.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

/** Milliseconds for which a look at the database answers everyone: anyone may ask, as often as they like. */
const LOOK = 1000;

/**
 * Registers `GET /healthz`, which answers while the process runs, and `GET /readyz`, which answers 200 if the process can serve: the
 * database can be reached and has all migrations of this code. Otherwise it answers 503 and what is missing. `usesReplica`: whether the search reads from the
 * replica; null without one.
 */
export function registerHealth(app: FastifyInstance, db: Queryable, usesReplica: () => boolean | null): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  const ready = readinessOf(db);
  app.get('/readyz', async (_request, reply) => {
    const missing = await ready();
    return missing === null ? readyAnswer(usesReplica()) : reply.code(503).send({ status: 'waiting', for: missing });
  });
}

/** A process serves without its replica, from the primary, and says so. */
export const readyAnswer = (usesReplica: boolean | null) => ({
  status: 'ready',
  ...(usesReplica !== null && { replica: usesReplica ? 'in use' : 'out of use' }),
});

/** Returns a function that says what is missing for the process to serve, or null. The database is looked at once a second at most. */
export function readinessOf(db: Queryable): () => Promise<'database' | 'migrations' | null> {
  let look: ReturnType<typeof missingForService> | null = null;
  return () => {
    look ??= missingForService(db).finally(() => setTimeout(() => (look = null), LOOK).unref());
    return look;
  };
}

async function missingForService(db: Queryable): Promise<'database' | 'migrations' | null> {
  try {
    return (await isMigrated(db)) ? null : 'migrations';
  } catch {
    return 'database';
  }
}
