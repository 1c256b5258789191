/** Bodies of the calls that invite and change users, for tests. */
import type { Grant } from '#contract/admin.ts';
import type { RouteInput } from '#contract/routes.ts';

type Invitation = RouteInput<'POST /api/users'>['body'];
let invitations = 0;

/** Each with a username of its own, in mixed case. */
export const invitation = (grants: Grant[], over: Partial<Invitation> = {}): Invitation => ({
  username: `Invited.${++invitations}@Clinic.Example`,
  firstName: 'Ines',
  lastName: 'Marchetti',
  title: 'Nurse',
  applicationExperience: 'JANUS',
  grants,
  ...over,
});

/** The user as they are, with these grants. */
export const userWith = (
  { firstName, lastName, title }: { firstName: string; lastName: string; title: string | null },
  grants: Grant[],
) => ({ firstName, lastName, title, applicationExperience: 'JANUS' as const, grants });
