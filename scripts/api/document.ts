import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractRoutes } from './contract-routes.ts';
import { markdown } from './markdown.ts';
import { openApi } from './openapi.ts';
import { permissionsMarkdown } from './permissions.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the text of each generated document by its path in the project. */
export function apiDocuments(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const table = contractRoutes();
  return {
    'docs/api.md': markdown(table),
    'docs/permissions.md': permissionsMarkdown(table),
    'docs/openapi.json': `${JSON.stringify(openApi(table, version), null, 2)}\n`,
  };
}
