/** The reports as CSV files. */
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import {
  ACCESS_COLUMNS,
  DORMANT_REASONS,
  PAGE_COLUMNS,
  pageName,
  SECOND_FACTORS,
  USE_SOURCES,
  USER_COLUMNS,
} from '#contract/report-words.ts';
import type { ReportedPage, ReportedUser, ReviewedAccess } from '#contract/reports.ts';
import { csvFile } from '../exports/files/csv-file.ts';

/** Rows that are read at once. */
const BATCH = 500;

/**
 * Yields a file with a line for each key. `load` reads some at a time and in transactions of their own, so that a slow download holds none
 * open.
 */
export function reportFile<K, R>(
  header: readonly string[],
  keys: readonly K[],
  load: (some: readonly K[]) => Promise<readonly R[]>,
  lineOf: (row: R) => string[],
): AsyncGenerator<Buffer> {
  async function* batches() {
    for (let at = 0; at < keys.length; at += BATCH) yield (await load(keys.slice(at, at + BATCH))).map(lineOf);
  }
  return csvFile(header, batches());
}

/** Headers of a report; the times in its cells are in UTC. */
const headerOf = <C extends string>(columns: Record<C, string>, times: readonly C[]): string[] =>
  (Object.entries(columns) as [C, string][]).map(([column, label]) =>
    times.includes(column) ? `${label} (UTC)` : label,
  );

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${lastName}, ${firstName}`;

export const USER_HEADER = headerOf(USER_COLUMNS, ['lastSignIn', 'created', 'invited', 'activated', 'lastActive']);

export const userLine = (user: ReportedUser): string[] => [
  fullName(user),
  user.username,
  user.title ?? '',
  user.status,
  user.teams.join('; '),
  user.groups.join('; '),
  user.roles.join('; '),
  user.lastSignInDate ?? 'Never',
  SECOND_FACTORS[user.secondFactor],
  user.createdDate,
  user.invitedDate ?? '',
  user.activatedDate ?? '',
  user.lastActiveDate ?? 'Never',
  String(user.signIns),
];

export const PAGE_HEADER = headerOf(PAGE_COLUMNS, ['lastUsed']);

export const pageLine = ({ page, team, user, users, uses, lastUsedDate }: ReportedPage): string[] => [
  pageName(page),
  team?.name ?? '',
  user === null ? '' : `${user.name} (${user.username})`,
  String(users),
  String(uses),
  lastUsedDate ?? 'No one opened it',
];

export const ACCESS_HEADER = headerOf(ACCESS_COLUMNS, ['lastSignIn', 'lastUsed']);

type HeldPermission = ReviewedAccess['permissions'][number];

/** 'view the ping inbox (2026-11-20T15:00:00.000Z, a request)' */
function permissionInWords({ flag, isRecorded, lastUsedDate, source }: HeldPermission): string {
  const { action } = PERMISSION_WORDS[flag];
  if (!isRecorded) return `${action} (use not recorded)`;
  return lastUsedDate === null || source === null
    ? `${action} (never)`
    : `${action} (${lastUsedDate}, ${USE_SOURCES[source]})`;
}

export const accessLine = (access: ReviewedAccess): string[] => [
  fullName(access.user),
  access.user.username,
  access.status,
  access.team.name,
  access.group.name,
  access.role.name,
  access.permissions.map(permissionInWords).join('; '),
  access.lastSignInDate ?? 'Never',
  access.lastUsedDate ?? 'Never',
  String(access.neverUsed),
  access.dormant.map((reason) => DORMANT_REASONS[reason]).join('; '),
];
