import { PERMISSION_GUARDS } from '#contract/permission-guards.ts';
import {
  PERMISSION_FLAGS,
  type Permission,
  type RoutePermission,
  routeFlags,
  STANDARD_ROLES,
} from '#contract/permissions.ts';
import type { ContractRoute } from './contract-routes.ts';

const INTRODUCTION = `# Permissions

Generated from the contract by \`npm run api-docs\`; do not edit. A grant gives a user a role in a team for one of its groups, plus or
minus single flags. A route requires the flag in at least one group of the selected team; which rows the call may then read or change
is decided by the groups in which the user holds it ([security.md](security.md)).
`;

/** "canViewPatients or canViewPings". */
export const permissionWords = (permission: RoutePermission): string => [permission].flat().join(' or ');

const list = (items: readonly string[]): string => items.map((item) => `- ${item}\n`).join('');

/** Returns the permissions as a Markdown page: what each flag guards (routes, other checks), and the standard roles that hold it. */
export function permissionsMarkdown(table: readonly ContractRoute[]): string {
  return [INTRODUCTION, ...PERMISSION_FLAGS.map((flag) => section(flag, table))].join('\n');
}

function section(flag: Permission, table: readonly ContractRoute[]): string {
  const roles = Object.entries(STANDARD_ROLES).filter(([, flags]) => (flags as readonly Permission[]).includes(flag));
  const { checks = [] } = PERMISSION_GUARDS[flag];
  const held = roles.map(([name]) => name).join(', ') || 'none; added to individual grants';
  const routes = table.filter(({ permission }) => routeFlags(permission).includes(flag));
  const instead = (route: ContractRoute): string => {
    const others = routeFlags(route.permission).filter((other) => other !== flag);
    return others.length > 0 ? ` (or ${others.join(', ')})` : '';
  };
  return [
    `## ${flag}\n\nRoles: ${held}.\n\n`,
    list(routes.map((route) => `\`${route.method} ${route.path}\`${instead(route)}: ${route.summary}`)),
    list(checks.map(([file, what]) => `${what} (\`${file}\`)`)),
  ].join('');
}
