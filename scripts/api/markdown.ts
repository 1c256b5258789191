import { TEAM_HEADER } from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';
import type { ContractRoute } from './contract-routes.ts';
import { permissionWords } from './permissions.ts';
import { type Components, describe } from './schemas.ts';
import { shapeOf } from './shapes.ts';

const HEAD = `# API

Generated from \`contract/routes.ts\` by \`npm run api-docs\`; do not edit. As OpenAPI 3.1: [openapi.json](openapi.json).

- JSON in and out, camelCase. Ids are strings, instants ISO 8601 with offset.
- Sign in with \`POST /api/authenticate\`; the session is a cookie. Permission \`public\` needs no session, \`signed-in\` needs
  a session, \`in-team\` a selected team of the user.
- Every other permission is a flag that the user must hold for a group of the selected team; where two are listed, either one is
  enough. Send the team in the header \`${TEAM_HEADER}\`; streams take it as \`teamId\` in the query, and downloads in either.
- A record that does not exist and a record you may not see are both \`NOT_FOUND\`.
- A change sent by a browser must come from the site's own origin; otherwise it is \`FOREIGN_ORIGIN\`.
- Shapes are written as TypeScript types; \`?\` marks an optional field, \`= x\` its default. Capitalized names are under [Types](#types).
- In searches, typeaheads, saved filters and exports of a list, a field of the body that is \`null\` counts as not sent.
`;

/** Returns the API as a Markdown page. */
export function markdown(routes: readonly ContractRoute[]): string {
  const components: Components = {};
  const sections = routes.map((route) => section(route, components));
  const names = Object.keys(components).sort();
  const types = names.map((name) => `### ${name}\n\n${code(shapeOf(components[name] ?? {}))}`);
  return `${[HEAD.trimEnd(), overview(routes), '## Calls', ...sections, errors(), '## Types', ...types].join('\n\n')}\n`;
}

const titleOf = ({ method, path }: ContractRoute): string => `${method} ${path}`;
/** Heading anchors as GitHub makes them: lower case, spaces to dashes, no punctuation. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

function overview(routes: readonly ContractRoute[]): string {
  const rows = routes.map((route) => {
    const title = titleOf(route);
    return `| [\`${title}\`](#${anchorOf(title)}) | ${permissionWords(route.permission)} | ${route.summary} |`;
  });
  return ['| Call | Permission | |', '|---|---|---|', ...rows].join('\n');
}

function section(route: ContractRoute, components: Components): string {
  const { params, query, body, answer, kind, status } = route;
  const parts = [`### ${titleOf(route)}`, `${route.summary}. Permission: \`${permissionWords(route.permission)}\`.`];
  const add = (title: string, schema: typeof body, io: 'input' | 'output') => {
    if (!schema) return;
    const shape = shapeOf(describe(schema, io, components));
    const name = /^(\w+)(\[\])?$/.exec(shape)?.[1] ?? '';
    parts.push(name in components ? `${title}: [\`${shape}\`](#${anchorOf(name)})` : `${title}:\n\n${code(shape)}`);
  };
  add('Path', params, 'input');
  add('Query', query, 'input');
  if (kind === 'multipart') parts.push('Body: `multipart/form-data` with the field `file`.');
  add('Body', body, 'input');
  if (kind === 'stream') parts.push('Answer: server-sent events; `contract/live.ts` has their kinds.');
  else if (kind === 'form') parts.push('Answer: a redirect to a page.');
  else if (kind === 'download') parts.push('Answer: a CSV file.');
  else if (!answer) parts.push(`Answer: ${status}, without a body.`);
  else add(`Answer${status === 200 ? '' : ` (${status})`}`, answer, 'output');
  return parts.join('\n\n');
}

function errors(): string {
  const rows = Object.entries(ERRORS).map(([key, [status, message]]) => `| ${key} | ${status} | ${message} |`);
  const body = code(
    [
      '{',
      '  status: number',
      '  errorKey: string',
      '  message: string',
      '  requestId: string',
      '  fields?: { [path]: string }',
      '  current?: { status: string, username: string, date: string }',
      '}',
    ].join('\n'),
  );
  return `## Errors\n\nEvery answer other than 2xx has this body. \`fields\` says what is wrong with each field; \`current\` comes with PING_CHANGED_BY_OTHER.\n\n${body}\n\n| errorKey | Status | Message |\n|---|---|---|\n${rows.join('\n')}`;
}

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;
