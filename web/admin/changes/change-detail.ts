import type { Grant } from '#contract/admin.ts';
import type { AdminChange } from '#contract/admin-changes.ts';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import type { TeamRole } from '#contract/provisioning.ts';
import { formatDateTime } from '../../ui/format/date.ts';
import { type Directory, nameOf } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { accessChanges } from '../users/grant-changes.ts';
import { FIELD_WORDS, valueChanges } from './value-changes.ts';

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const grants = (value: unknown): Grant[] => (Array.isArray(value) ? (value as Grant[]) : []);
const line = (label: string, words: readonly string[]): string[] =>
  words.length ? [`${label}: ${words.join(', ')}`] : [];
const actionsOf = (flags: readonly string[]): string[] =>
  PERMISSION_FLAGS.filter((flag) => flags.includes(flag)).map((flag) => PERMISSION_WORDS[flag].action);
const without = (all: string[], others: string[]): string[] => all.filter((each) => !others.includes(each));

/** What access was added and removed, going by what the roles allow today. */
const accessLines = (before: Grant[], after: Grant[], directory: Directory): string[] =>
  accessChanges(before, after, directory.roles).flatMap(({ places, adds, removes }) => [
    ...line(`Added at ${directory.placesName(places)}`, actionsOf(adds)),
    ...line(`Removed at ${directory.placesName(places)}`, actionsOf(removes)),
  ]);

/** What the end of a 42 CFR Part 2 mark opened. */
const openedLine = (opened: unknown): string[] => {
  const { persons, visits } = (opened ?? {}) as { persons?: number; visits?: number };
  return visits === undefined
    ? []
    : [`Opened to other groups without consent: ${visits} visits of ${persons} patients`];
};

/** The group that someone asked to join; and if it was granted, on which team and as what. */
const requestLines = ({ groupId, teamId, roleId }: AdminChange['detail'], directory: Directory): string[] => [
  ...line('Group', typeof groupId === 'string' ? [nameOf(directory.groups, groupId)] : []),
  ...line('Team', typeof teamId === 'string' ? [nameOf(directory.teams, teamId)] : []),
  ...line('Role', typeof roleId === 'string' ? [roleName(nameOf(directory.roles, roleId))] : []),
];

/** On which team; and how often, where many refusals within a minute were counted in one entry. */
const refusalLines = ({ teamId, repeated, since }: AdminChange['detail'], { teams }: Directory): string[] => [
  ...line('Team', typeof teamId === 'string' ? [nameOf(teams, teamId)] : []),
  ...(typeof since === 'string'
    ? [`${Number(repeated).toLocaleString('en-US')} more times since ${formatDateTime(since)}`]
    : []),
];

/** 'Clinician on Night shift, Viewer on Day shift'; 'nothing' for none. */
const givenWords = (given: unknown, { roles, teams }: Directory): string => {
  const all = (Array.isArray(given) ? given : given ? [given] : []) as TeamRole[];
  return (
    all.map(({ teamId, roleId }) => `${roleName(nameOf(roles, roleId))} on ${nameOf(teams, teamId)}`).join(', ') ||
    'nothing'
  );
};

/** Who was given what a disabled user had taken, by team. */
const takenLines = (stays: unknown, { teams }: Directory): string[] =>
  (Array.isArray(stays) ? stays : []).map(
    ({ teamId, encounterIds, to }: { teamId: string; encounterIds: string[]; to: string | null }) =>
      `Stays taken on ${nameOf(teams, teamId)}: ${encounterIds.length} ${to === null ? 'left unassigned' : `given to ${to}`}`,
  );

/** 'Members: 2 added, 1 removed' */
const membersLine = (detail: AdminChange['detail']): string[] =>
  line(
    'Members',
    ['added', 'removed']
      .map((what) => [(detail[what] as string[] | undefined)?.length ?? 0, what] as const)
      .filter(([count]) => count > 0)
      .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`),
  );

/** The details of changes to a connection, apart from its fields. */
function connectionLines(action: string, detail: AdminChange['detail'], directory: Directory): string[] {
  const gives = () => `${givenWords(detail['before'], directory)} → ${givenWords(detail['after'], directory)}`;
  switch (action) {
    case 'sso-connection.verify-domain':
    case 'sso-connection.approve-domain':
      return line('Domain', [String(detail['domain'])]);
    case 'sso-connection.add-group':
    case 'sso-connection.end-group':
      return line('Group', [String(detail['group'])]);
    case 'sso-connection.rename-group':
      return line('Group', [`${String(detail['group'])} → ${String(detail['name'])}`]);
    case 'sso-connection.group-members':
      return [...line('Group', [String(detail['group'])]), ...membersLine(detail)];
    case 'sso-connection.group-access':
      return [...line('Group', [String(detail['group'])]), `Gives: ${gives()}`];
    case 'sso-connection.new-users':
      return [`New people get: ${gives()}`];
    default:
      return [];
  }
}

/** Changes that say no more than which fields had which values. */
const FIELDS_ONLY: ReadonlySet<string> = new Set([
  'sso-connection.change',
  'hl7-program.change',
  'organization.change',
  'organization.record-settings',
]);

/** Returns the details of a change as lines of text. */
export const detailOf = (
  { action, detail }: Pick<AdminChange, 'action' | 'detail'>,
  directory: Directory,
): string[] => {
  const groupNames = (value: unknown): string[] => list(value).map((id) => nameOf(directory.groups, id));
  const fields = [
    ...valueChanges(detail['changes'], detail['secrets'], directory),
    // Older entries have the fields without values.
    ...line(
      'Changed',
      list(detail['fields']).map((field) => (FIELD_WORDS[field] ?? field).toLowerCase()),
    ),
  ];
  if (FIELDS_ONLY.has(action)) return fields;
  if (action.startsWith('sso-connection.')) return connectionLines(action, detail, directory);
  if (action === 'access.refused' || action === 'sign-in.failed') return refusalLines(detail, directory);
  switch (action) {
    case 'user.invite':
    case 'user.ask-access':
    case 'user.confirm-access':
    case 'user.decline-access':
    case 'user.withdraw-access':
      return accessLines([], grants(detail['grants']), directory);
    case 'user.change':
      return [...fields, ...accessLines(grants(detail['before']), grants(detail['after']), directory)];
    case 'user.disable':
      return takenLines(detail['stays'], directory);
    case 'user.link':
      return [
        ...(detail['passwordRemoved'] === true ? ['Password removed'] : []),
        ...(detail['activated'] === true ? ['Account activated'] : []),
      ];
    case 'group.change':
      return [...fields, ...openedLine(detail['opened'])];
    case 'group.add':
    case 'group.reopen':
      return line(
        'Team',
        list(detail['teamId'] === undefined ? [] : [detail['teamId']]).map((id) => nameOf(directory.teams, id)),
      );
    case 'roster.approve':
      return line('Upload', list([detail['uploadId']]));
    case 'roster.guess-pattern':
      return detail['uploadId'] === undefined
        ? ['Manual entry refused: the same person with different details']
        : [...line('Upload', list([detail['uploadId']])), ...line('Rows held', list([detail['rows']]))];
    case 'team.add':
      return line('Groups', groupNames(detail['groupIds']));
    case 'team.change':
      return [
        ...fields,
        ...line('Added', groupNames(detail['added'])),
        ...line('Removed', groupNames(detail['removed'])),
      ];
    case 'role.add':
      return line('Permissions', actionsOf(list(detail['permissions'])));
    case 'role.change': {
      const [before, after] = [list(detail['before']), list(detail['after'])];
      return [
        ...fields,
        ...line('Added', actionsOf(without(after, before))),
        ...line('Removed', actionsOf(without(before, after))),
      ];
    }
    case 'access-request.grant':
    case 'access-request.decline':
      return requestLines(detail, directory);
    case 'feed.add':
    case 'feed.approve':
    case 'feed.decline':
      return line('Sender', list(detail['sender']));
    case 'feed.change':
      return [...fields, ...line('Settings', list(detail['settings']))];
    case 'feed.resume':
    case 'feed.replay':
      return [`Messages processed: ${String(detail['messages'])}`];
    default:
      return [];
  }
};
