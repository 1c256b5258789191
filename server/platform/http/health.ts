import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '#server/platform/database/pool.ts';
import { countApplied } from './queries.ts';

const MIGRATIONS = join(import.meta.dirname, '../database/migrations');

/**
 * `GET /healthz`: the process lives. `GET /readyz`: it can serve, which takes the database with all migrations that this code
 * knows; 503 otherwise.
 */
export function registerHealth(app: FastifyInstance, db: Queryable): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const waiting = await whatIsMissing(db);
    return waiting === null ? { status: 'ready' } : reply.code(503).send({ status: 'waiting', for: waiting });
  });
}

async function whatIsMissing(db: Queryable): Promise<'database' | 'migrations' | null> {
  try {
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
    return (await countApplied(db, files)) === files.length ? null : 'migrations';
  } catch {
    return 'database';
  }
}
