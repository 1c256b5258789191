import type { Grant } from '#contract/admin.ts';
import type { AdminChange } from '#contract/admin-changes.ts';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import type { Directory } from '../use-directory.ts';
import { changesOf } from '../users/grant-changes.ts';

const FIELD_WORDS: Record<string, string> = {
  firstName: 'first name',
  lastName: 'last name',
  title: 'title',
  applicationExperience: 'experience',
  name: 'name',
  abbreviation: 'abbreviation',
  type: 'type',
  facilityType: 'kind of facility',
  state: 'state',
  timeZone: 'time zone',
  address: 'address',
  isAutomated: 'how stays come',
  isPart2Facility: '42 CFR Part 2',
  sendingApplication: 'sending application',
  sendingFacility: 'sending facility',
};

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const grants = (value: unknown): Grant[] => (Array.isArray(value) ? (value as Grant[]) : []);
const line = (label: string, words: readonly string[]): string[] =>
  words.length ? [`${label}: ${words.join(', ')}`] : [];
const may = (flags: readonly string[]): string[] =>
  PERMISSION_FLAGS.filter((flag) => flags.includes(flag)).map((flag) => PERMISSION_WORDS[flag].may);
const without = (all: string[], others: string[]): string[] => all.filter((each) => !others.includes(each));

/** Access as it changed, by what its roles allow today: a role that was changed since is told as it is now. */
const access = (before: Grant[], after: Grant[], directory: Directory): string[] =>
  changesOf(before, after, directory.roles).flatMap(({ places, adds, takes }) => [
    ...line(`Adds at ${directory.placesName(places)}`, may(adds)),
    ...line(`Takes away at ${directory.placesName(places)}`, may(takes)),
  ]);

/** What a change was about, in lines of words; from what the audit keeps of it, which is ids, codes and names of fields. */
export const detailOf = (
  { action, detail }: Pick<AdminChange, 'action' | 'detail'>,
  directory: Directory,
): string[] => {
  const groupNames = (value: unknown): string[] =>
    list(value).map((id) => directory.groups.find((group) => group.id === id)?.name ?? `No. ${id}`);
  const teamName = (id: string): string => directory.teams.find((team) => team.id === id)?.name ?? `No. ${id}`;
  const fields = line(
    'Changed',
    list(detail['fields']).map((field) => FIELD_WORDS[field] ?? field),
  );
  switch (action) {
    case 'user.invite':
      return access([], grants(detail['grants']), directory);
    case 'user.change':
      return [...fields, ...access(grants(detail['before']), grants(detail['after']), directory)];
    case 'user.link':
      return [
        ...(detail['passwordRemoved'] === true ? ['The password was removed'] : []),
        ...(detail['activated'] === true ? ['The account was activated'] : []),
      ];
    case 'group.change':
      return fields;
    case 'group.add':
    case 'group.reopen':
      return line('Team', list(detail['teamId'] === undefined ? [] : [detail['teamId']]).map(teamName));
    case 'team.add':
      return line('Groups', groupNames(detail['groupIds']));
    case 'team.change':
      return [
        ...fields,
        ...line('Adds', groupNames(detail['added'])),
        ...line('Takes away', groupNames(detail['removed'])),
      ];
    case 'role.add':
      return line('Permissions', may(list(detail['permissions'])));
    case 'role.change': {
      const [before, after] = [list(detail['before']), list(detail['after'])];
      return [
        ...fields,
        ...line('Adds', may(without(after, before))),
        ...line('Takes away', may(without(before, after))),
      ];
    }
    case 'access-request.grant':
    case 'access-request.decline':
      return line('Group', groupNames([detail['groupId']]));
    case 'feed.add':
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
