/** The JSON of resources and lists (RFC 7643, RFC 7644). */
import { SCIM_GROUP, SCIM_LIST, SCIM_MAX_RESULTS, SCIM_USER, type ScimGroup, type ScimUser } from '#contract/scim.ts';
import type { GroupRow } from './group-rows.ts';
import type { UserRow } from './user-rows.ts';

export const userResource = (base: string, row: UserRow): ScimUser => {
  const { id, externalId, userName, givenName, familyName, title, active, createdAt, groups } = row;
  const formatted = `${givenName} ${familyName}`;
  return {
    schemas: [SCIM_USER],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    name: { formatted, givenName, familyName },
    displayName: formatted,
    ...(title === null ? {} : { title }),
    active,
    emails: [{ value: userName, type: 'work', primary: true }],
    groups: groups.map((group) => ({
      value: group.id,
      display: group.displayName,
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: { resourceType: 'User', created: createdAt, location: `${base}/Users/${id}` },
  };
};

export const groupResource = (
  base: string,
  { id, externalId, displayName, createdAt, members }: GroupRow,
): ScimGroup => ({
  schemas: [SCIM_GROUP],
  id,
  ...(externalId === null ? {} : { externalId }),
  displayName,
  ...(members === null
    ? {}
    : { members: members.map((each) => ({ value: each.id, display: each.name, $ref: `${base}/Users/${each.id}` })) }),
  meta: { resourceType: 'Group', created: createdAt, location: `${base}/Groups/${id}` },
});

/** What of a resource a call wants (RFC 7644, 3.9). */
export interface Projection {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
/** A sub-attribute keeps the attribute that it is in. */
const namesIn = (list: string | undefined): Set<string> =>
  new Set(
    (list ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim().replace(URN, '').split('.')[0] ?? '')
      .filter(Boolean),
  );

/** Returned whatever a call asks for (RFC 7643, 7). */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

export function projected<T extends object>(resource: T, { attributes, excludedAttributes }: Projection): T {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)];
  const keeps = (name: string): boolean =>
    ALWAYS.has(name) || (only.size > 0 ? only.has(name.toLowerCase()) : !without.has(name.toLowerCase()));
  return Object.fromEntries(Object.entries(resource).filter(([name]) => keeps(name))) as T;
}

/** Returns whether a call wants the members of groups. */
export const wantsMembers = (query: Projection): boolean => 'members' in projected({ members: [] }, query);

/** Where a page begins, from 0, and how many resources it may hold. */
export const pageOf = ({ startIndex, count }: { startIndex: number; count: number }) => ({
  offset: Math.min(Math.max(startIndex, 1), MOST_OFFSET) - 1,
  limit: Math.min(Math.max(count, 0), SCIM_MAX_RESULTS),
});
const MOST_OFFSET = 1_000_000;

export const listOf = <T>(resources: T[], total: number, offset = 0) => ({
  schemas: [SCIM_LIST] as [typeof SCIM_LIST],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
