/**
 * Makes rows for tests, each with the rows it needs: `await make.ping({ groupId })` also creates an event, an encounter, a person
 * and a listing. Tests pass only what matters to them. Written as the pipeline role.
 */
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { connectionFactories } from './factories/connections.ts';
import { directoryFactories } from './factories/directory.ts';
import { peopleFactories } from './factories/people.ts';
import { pingFactories } from './factories/pings.ts';
import { visitFactories } from './factories/visits.ts';

export { TEST_PASSWORD } from './factories/directory.ts';
export { momentOf } from './factories/visits.ts';

export function factories(db: Queryable, now: Clock) {
  const directory = directoryFactories(db, now);
  const people = peopleFactories(db, now, directory);
  const visits = visitFactories(db, now, people);
  const pings = pingFactories(db, now, { ...directory, ...people, ...visits });
  return { ...directory, ...connectionFactories(db, now), ...people, ...visits, ...pings };
}

export type Factories = ReturnType<typeof factories>;
