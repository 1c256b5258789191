import { type Actor, makeActor } from '#server/people/access/actor.ts';

/** Returns a user acting in team 1, with these flags for each group, without rows in the database. */
export function actorWith(permissions: Actor['permissions'], organizationId = '1'): Actor {
  const who = {
    userId: '1',
    username: 'rosa@tidings.test',
    displayName: 'Rosa Diaz',
    timeZone: 'America/New_York',
    isOperator: false,
    teamId: '1',
  };
  return makeActor({ ...who, organizationId, permissions });
}
