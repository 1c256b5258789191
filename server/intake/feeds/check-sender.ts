/** What a feed may name as its sender and facilities, by the administrator who names them. */
import { covers } from '#server/people/admin/admin-scope.ts';
import type { Change } from '#server/people/admin/administer.ts';
import { checkGroupsOf } from '#server/people/admin/directory/team-queries.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import type { SenderFields } from './queries.ts';
import * as queries from './queries.ts';

/** Checks that each facility is listed once, reports stays and is managed by the administrator. */
export async function checkFacilities(
  { tx, scope }: Change,
  organizationId: string,
  facilities: SenderFields['facilities'],
): Promise<void> {
  const identifiers = facilities.map(({ identifier }) => identifier);
  const twice = identifiers.findIndex((identifier, index) => identifiers.indexOf(identifier) < index);
  if (twice >= 0) throw badField(`facilities.${twice}.identifier`, 'This identifier is listed twice.');
  const groupIds = facilities.map(({ groupId }) => groupId);
  await checkGroupsOf(tx, organizationId, groupIds);
  const programs = await queries.programsAmong(tx, groupIds);
  const program = groupIds.findIndex((groupId) => programs.has(groupId));
  if (program >= 0) throw badField(`facilities.${program}.groupId`, "Programs don't report stays. Choose a facility.");
  const foreign = groupIds.findIndex((groupId) => !covers(scope, groupId));
  if (foreign >= 0) {
    throw new ApiError('NOT_PERMITTED', {
      fields: { [`facilities.${foreign}.groupId`]: "You don't manage this facility." },
    });
  }
}

/**
 * Each sender belongs to one feed. Administrators can't take messages away from a feed they don't manage, neither by naming its sender
 * more precisely nor after it has ended. Only operators can leave MSH-4 open, because such a feed also receives other senders' messages.
 */
export async function checkSender(
  { tx, scope }: Change,
  of: Omit<SenderFields, 'facilities'> & { id: string | null; organizationId: string },
): Promise<void> {
  const { sendingApplication, sendingFacility } = of;
  if (sendingFacility === null && !(scope.isOperator && sendingApplication !== null)) {
    throw badField(
      'sendingFacility',
      "Enter the sending facility. Without it, the feed would also receive other senders' messages.",
    );
  }
  const inReach = await queries.feedsInReach(tx, of);
  const foreign = inReach.filter(
    ({ organizationId, groupIds }) =>
      !scope.isOperator &&
      (organizationId !== of.organizationId || !groupIds.every((groupId) => covers(scope, groupId))),
  );
  // Without its own application, the feed would also receive the messages of those that name one.
  if (sendingApplication === null && foreign.length > 0 && foreign.every((feed) => feed.namesApplication)) {
    throw badField('sendingApplication', NAME_APPLICATION);
  }
  if (foreign.length > 0) throw badField('sendingFacility', "This sender belongs to a feed that you don't manage.");
  for (const feed of inReach) {
    if (feed.isSame)
      throw badField('sendingFacility', `${feed.name} already has this sending application and facility.`);
  }
}

const NAME_APPLICATION =
  'Other feeds receive messages with this sending facility. Enter the sending application that your own messages have.';
