import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#server/platform/metrics/metrics.ts';

/** Counts and times the answers of all routes registered after it. A request that fits no route counts under `none`. */
export function measureAnswers(app: FastifyInstance, { answers, open }: Pick<Metrics, 'answers' | 'open'>): void {
  app.addHook('onRequest', async ({ routeOptions: { url: route = 'none' } }, reply) => {
    open.inc({ route });
    reply.raw.once('close', () => open.dec({ route }));
  });
  app.addHook('onResponse', async ({ method, routeOptions: { url: route = 'none' } }, reply) => {
    answers.observe({ method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
}
