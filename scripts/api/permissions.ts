import { PERMISSION_GUARDS } from '#contract/permission-guards.ts';
import {
  PERMISSION_FLAGS,
  type Permission,
  type RoutePermission,
  routeFlags,
  STANDARD_ROLES,
} from '#contract/permissions.ts';
import type { ContractRoute } from './document.ts';

const INTRODUCTION = `# Permissions

Generated from the contract by \`npm run api-docs\`; do not edit. A grant gives a user a role in a team for one of its groups, plus or
minus single flags. A route asks for the flag in at least one group of the selected team; which rows it covers, the door decides
([security.md](security.md)).
`;

/** "canViewPatients or canViewPings". */
export const permissionWords = (permission: RoutePermission): string => [permission].flat().join(' or ');

const list = (items: readonly string[]): string => items.map((item) => `- ${item}\n`).join('');

/** What each flag guards, as Markdown: routes, checks beside them, screens to come; and which standard roles hold it. */
export function permissionsMarkdown(table: readonly ContractRoute[]): string {
  return [INTRODUCTION, ...PERMISSION_FLAGS.map((flag) => section(flag, table))].join('\n');
}

function section(flag: Permission, table: readonly ContractRoute[]): string {
  const roles = Object.entries(STANDARD_ROLES).filter(([, flags]) => (flags as readonly Permission[]).includes(flag));
  const { checks = [], later = [] } = PERMISSION_GUARDS[flag];
  const held = roles.map(([name]) => name).join(', ') || 'none; it is added to single grants';
  const routes = table.filter(({ permission }) => routeFlags(permission).includes(flag));
  const instead = (route: ContractRoute): string => {
    const others = routeFlags(route.permission).filter((other) => other !== flag);
    return others.length > 0 ? ` (or ${others.join(', ')})` : '';
  };
  return [
    `## ${flag}\n\nRoles: ${held}.\n\n`,
    list(routes.map((route) => `\`${route.method} ${route.path}\`${instead(route)}: ${route.summary}`)),
    list(checks.map(([file, what]) => `${what} (\`${file}\`)`)),
    list(later.map((place) => `later: ${place}`)),
  ].join('');
}
