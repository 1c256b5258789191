import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { RoutePermission } from '#contract/permissions.ts';
import { routes } from '#contract/routes.ts';
import { markdown } from './markdown.ts';
import { openApi } from './openapi.ts';
import { permissionsMarkdown } from './permissions.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A row of the contract's table, with its key taken apart. */
export interface ContractRoute {
  method: string;
  /** As the contract writes it, e.g. `/api/patients/:id`. */
  path: string;
  permission: RoutePermission;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer?: z.ZodType;
  kind?: 'stream' | 'download' | 'multipart' | 'form';
  status: 200 | 202 | 204;
  takesTeamHeader: boolean;
}

function contractRoutes(): ContractRoute[] {
  type Row = Omit<ContractRoute, 'method' | 'path' | 'status' | 'takesTeamHeader'> & { status?: 200 | 202 | 204 };
  return Object.entries(routes as Record<string, Row>).map(([key, row]) => {
    const [method = '', path = ''] = key.split(' ');
    const inTeam = row.permission !== 'public' && row.permission !== 'signed-in';
    const takesTeamHeader = inTeam && row.kind !== 'stream' && row.kind !== 'download';
    return { ...row, method, path, status: row.status ?? 200, takesTeamHeader };
  });
}

/** Path of each generated file, relative to the project, and its text. */
export function apiDocuments(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const table = contractRoutes();
  return {
    'docs/api.md': markdown(table),
    'docs/permissions.md': permissionsMarkdown(table),
    'docs/openapi.json': `${JSON.stringify(openApi(table, version), null, 2)}\n`,
  };
}
