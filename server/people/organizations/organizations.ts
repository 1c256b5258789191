/**
 * Adds organizations and administrators for whoever runs the installation (`npm run organization`), who needs no account: there is none before
 * the first one. Runs as the pipeline's role, which may add organizations and make operators.
 */
import { mailNotice } from '#server/people/accounts/letters/send-letters.ts';
import * as directory from '#server/people/accounts/provisioning.ts';
import { mailInvitation } from '#server/people/admin/admin-mails.ts';
import { lockAdministration, publishRightsChanged } from '#server/people/admin/administer.ts';
import { followProvider } from '#server/people/admin/provisioning/provider-access.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { audit, CommandRefused, type GivenLink, giveLink, type Step } from './command.ts';
import * as queries from './queries.ts';

export interface NewAdministrator {
  /** An email address in lower case. */
  username: string;
  /** Null for someone who has an account. */
  name: { first: string; last: string } | null;
  isOperator: boolean;
}

export interface Added {
  organization: { id: string; name: string };
  /** How many groups the administrator manages. */
  groups: number;
  /**
   * How the person comes in: by an invitation that was mailed, by a link that has to be handed over, by the organization's own sign-in, or as
   * before, with the account that they have.
   */
  entry: GivenLink | { by: 'sso' } | { by: 'account' };
}

interface First {
  organizationId: string;
  /** Of the first group. */
  groupName: string;
  teamName: string;
  /** IANA name. */
  timeZone: string;
}

/**
 * Creates an organization, a team with a group, and an administrator of them. The group is a program: it reports no stays, and lists no one
 * before an operator has approved a roster, so the administrator sees no patients by it. Throws CommandRefused if the name or the address is taken.
 */
export async function addOrganization(
  step: Step,
  of: Omit<First, 'organizationId'> & { name: string; administrator: NewAdministrator },
): Promise<Added> {
  const { tx, now } = step;
  await prepare(tx);
  const { name, administrator } = of;
  const [taken] = await queries.countOrganizations(tx, sql`lower(o.name) = lower(${name})`);
  if (taken !== undefined) throw new CommandRefused(`There is already an organization named ${taken.name}`);
  const organizationId = await directory.createOrganization(tx, { name }, now);
  await audit(step, { action: 'organization.add', subject: 'organization', subjectId: organizationId });
  const place = await addFirstGroup(step, { ...of, organizationId });
  const entry = await admit(step, organizationId, administrator, [place]);
  return { organization: { id: organizationId, name }, groups: 1, entry };
}

/**
 * Makes a person an administrator of all groups of an organization, on one team for each. Throws CommandRefused if someone who can sign in manages it
 * already, unless `isAdditional`; if the person's account is disabled or of another organization; and if there is one though a new one was meant.
 */
export async function addAdministrator(
  step: Step,
  of: Omit<First, 'organizationId' | 'groupName'> & {
    organization: { name: string } | { id: string };
    administrator: NewAdministrator;
    isAdditional: boolean;
  },
): Promise<Added> {
  const { tx } = step;
  await prepare(tx);
  const organization = await findOrganization(tx, of.organization);
  const { id: organizationId, name, administrators } = organization;
  if (administrators > 0 && !of.isAdditional) {
    const who = administrators === 1 ? 'an administrator' : `${administrators} administrators`;
    throw new CommandRefused(
      `${name} has ${who} who can sign in and invite others. To add one nevertheless, use --additional`,
    );
  }
  const found = await queries.findPlaces(tx, organizationId);
  const places = found.length > 0 ? found : [await addFirstGroup(step, { ...of, organizationId, groupName: name })];
  const entry = await admit(step, organizationId, of.administrator, places);
  return { organization: { id: organizationId, name }, groups: places.length, entry };
}

/** Changes of administrators run one at a time, and need the roles, which an installation without users may lack. */
async function prepare(tx: Queryable): Promise<void> {
  await lockAdministration(tx, 'every organization');
  await directory.ensureStandardRoles(tx);
}

async function findOrganization(tx: Queryable, by: { name: string } | { id: string }): Promise<queries.Counted> {
  const condition = 'id' in by ? sql`o.id = ${by.id}` : sql`lower(o.name) = lower(${by.name})`;
  const [found, other] = await queries.countOrganizations(tx, condition);
  if (found === undefined)
    throw new CommandRefused(`There is no organization ${'id' in by ? `with the id ${by.id}` : `named ${by.name}`}`);
  if (other !== undefined) throw new CommandRefused(`Several organizations are named ${found.name}: use --id instead`);
  return found;
}

async function addFirstGroup(step: Step, first: First): Promise<queries.Place> {
  const { tx, now } = step;
  const { organizationId, timeZone } = first;
  const type = 'PROGRAM' as const;
  const groupId = await directory.createGroup(tx, { organizationId, name: first.groupName, type, timeZone }, now);
  const abbreviation = 'ADM';
  const team = { organizationId, name: first.teamName, abbreviation, type, groupIds: [groupId] };
  const teamId = await directory.createTeam(tx, team, now);
  await audit(step, { action: 'group.add', subject: 'group', subjectId: groupId, detail: { teamId } });
  await audit(step, { action: 'team.add', subject: 'team', subjectId: teamId, detail: { groupIds: [groupId] } });
  return { teamId, groupId };
}

/** Gives the role of administrators at these places to a new account, or to one that exists if no name is given. */
async function admit(
  step: Step,
  organizationId: string,
  administrator: NewAdministrator,
  places: queries.Place[],
): Promise<Added['entry']> {
  const { tx, now } = step;
  const { username, name, isOperator } = administrator;
  const existing = await queries.findAccount(tx, username);
  if (name === null) checkUsable(existing, username, organizationId);
  else if (existing !== null) throw new CommandRefused(`There is already an account with the address ${username}`);
  const userId =
    existing?.id ??
    (await directory.createUser(
      tx,
      {
        organizationId,
        username,
        firstName: name?.first ?? '',
        lastName: name?.last ?? '',
        defaultTeamId: places[0]?.teamId ?? null,
      },
      now,
    ));
  for (const place of places) await directory.grantRole(tx, { userId, ...place, role: 'administrator' });
  await queries.keepByHand(tx, userId, places);
  await followProvider(tx, { organizationId }, now);
  const roleId = await queries.administratorRole(tx);
  const grants = places.map((place) => ({ ...place, roleId, added: [], removed: [] }));
  const action = existing === null ? 'user.invite' : 'user.administrator-access';
  await audit(step, { action, subject: 'user', subjectId: userId, detail: { grants } });
  if (isOperator) {
    await queries.makeOperator(tx, userId);
    await audit(step, { action: 'user.operator-access', subject: 'user', subjectId: userId });
  }
  if (existing?.isActivated) return tell(step, userId);
  return invite(step, userId, username);
}

function checkUsable(
  account: queries.Account | null,
  username: string,
  organizationId: string,
): asserts account is queries.Account {
  if (account === null)
    throw new CommandRefused(`There is no account with the address ${username}: add --first-name and --last-name`);
  if (account.organizationId !== organizationId)
    throw new CommandRefused(`The account of ${username} belongs to another organization`);
  if (account.isDisabled) throw new CommandRefused(`The account of ${username} is disabled`);
}

/** Notifies someone who has an account, and their open pages. */
async function tell({ tx, now, way }: Step, userId: string): Promise<Added['entry']> {
  await publishRightsChanged({ tx, now }, [userId]);
  const what = 'You were made an administrator of your organization.';
  if (!way.isPrinted) await mailNotice(tx, { userId, what, publicUrl: way.publicUrl }, now);
  return { by: 'account' };
}

async function invite(step: Step, userId: string, username: string): Promise<Added['entry']> {
  const { tx, now, way } = step;
  if (!(await queries.isManagedElsewhere(tx, userId))) return giveLink(step, userId, 'invited');
  if (!way.isPrinted) await mailInvitation(tx, { userId, username, isSSO: true }, way.publicUrl, now);
  return { by: 'sso' };
}
