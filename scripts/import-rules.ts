import { dirname, join } from 'node:path/posix';
import { parseAst } from 'vite';

/**
 * The server's folders in the order in which data flows, foundations first: a folder imports itself and what stands
 * before it, never what stands after. A new folder gets its place here.
 */
const SERVER_ORDER = [
  'database',
  'hl7',
  'ccda',
  'fhir',
  'access',
  'audit',
  'http',
  'mail',
  'accounts',
  'sso',
  'ingest',
  'matching',
  'encounters',
  'rules',
  'patients',
  'pings',
  'search',
  'live',
  'rosters',
  'feeds',
  'admin',
  'documents',
  'pre-admit',
  'programs',
  'saved-filters',
  'notifications',
  'spotlights',
  'exports',
  'reports',
  'usage',
];

/** The first pattern that fits a file says what it may import from the project; the server's own order comes on top. */
const MAY_IMPORT: [file: RegExp, imports: RegExp, reason: string][] = [
  [/^contract\//, /^contract\//, 'the contract imports zod and itself'],
  [/^web\//, /^(web|contract)\//, 'the web pages know the server by the contract alone'],
  [/^demo\/world\//, /^(demo\/world|contract)\//, 'the generator of worlds knows the truth without our parser'],
  [
    /^server\/(main|app|pipeline|routes|worker)\.ts$/,
    /^(server|contract|demo)\//,
    'the composition imports all of the server',
  ],
  [/\.test\.tsx?$|^server\/testing\/|^(demo|bench|e2e|scripts)\//, /./, ''],
  [/^server\/search\/columns\//, /^server\/search\/columns\//, 'the columns know nothing of what they hold'],
  [/^server\/[^/]+$/, /^(contract\/|server\/[^/]+$)/, 'a file beside the folders is a foundation of all of them'],
  [/^server\//, /^(server|contract)\//, 'the server imports itself and the contract'],
];

/** Folders of pure functions; the stricter ones do not know of a database either. */
const PURE = /^server\/(hl7|ccda|matching|encounters|search\/columns)\//;
const PURE_TEXT = /^server\/(hl7|ccda)\//;
const INPUT_OUTPUT = /^(node:)?(fs|fs\/promises|net|tls|http|https|http2|dgram|dns|child_process|worker_threads)$|^pg$/;

/** SQL stands with the rule that it is, or in the folder's queries.ts; never in routes, and never in the pure folders. */
const HOLDS_SQL = /^server\/(?!(.*\/)?routes\.ts$|hl7\/|ccda\/)|^(bench|demo|scripts)\/|\.test\.tsx?$/;
/** No flag i: 'Select a team' is a label. */
const SQL =
  /^\s*(select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s|create\s+(table|index|function)\s|SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s)/;
/** The clock is passed in. */
const SQL_CLOCK =
  /(?<![\w.])(now\s*\(\s*\)|clock_timestamp\s*\(|statement_timestamp\s*\(|current_timestamp\b|current_date\b|localtimestamp\b)/i;
const NEEDS_CLOCK = /^(server\/(?!database\/|testing\/)|demo\/)(?!.*\.test\.ts$)/;

export type SourceFile = {
  /** Relative to the project, with slashes. */
  path: string;
  text: string;
};

/** What a file does against the rules above, each in a line that begins with the file and gives the reason. */
export function violations({ path, text }: SourceFile): string[] {
  const { imports, strings } = read(path, text);
  const found = imports.flatMap((specifier) => importViolation(path, specifier) ?? []);
  if (!HOLDS_SQL.test(path) && strings.some((each) => SQL.test(each))) {
    found.push('contains SQL, which belongs into the rule that it is or into the queries.ts of its folder');
  }
  if (NEEDS_CLOCK.test(path) && strings.some((each) => SQL_CLOCK.test(each))) {
    found.push('takes the time from the database: the clock is passed in as a parameter');
  }
  return found.map((reason) => `${path}: ${reason}`);
}

function importViolation(path: string, specifier: string): string | undefined {
  if (PURE.test(path) && !path.endsWith('.test.ts') && INPUT_OUTPUT.test(specifier)) {
    return `imports '${specifier}', but this folder is pure: no files, no network`;
  }
  const target = resolveImport(path, specifier);
  if (target === undefined) {
    const foreign = path.startsWith('contract/') && !path.endsWith('.test.ts') && specifier !== 'zod';
    return foreign ? `imports '${specifier}', but the contract imports zod and itself` : undefined;
  }
  const rule = MAY_IMPORT.find(([file]) => file.test(path));
  if (rule === undefined) return 'is in no folder that this check knows';
  if (!rule[1].test(target)) return `imports ${target}, but ${rule[2]}`;
  if (rule[2] === '' || !path.startsWith('server/')) return undefined;
  return orderViolation(path, target);
}

function orderViolation(path: string, target: string): string | undefined {
  if (PURE_TEXT.test(path) && target.startsWith('server/database/'))
    return `imports ${target}, but this folder is pure`;
  const [from, to] = [path, target].map((file) => /^server\/([^/]+)\//.exec(file)?.[1]);
  if (from === undefined || to === undefined || from === to) return undefined;
  if (!SERVER_ORDER.includes(from))
    return `stands in server/${from}, which has no place in the order of scripts/import-rules.ts`;
  if (to === 'testing') return `imports ${target}, but only tests do`;
  return SERVER_ORDER.indexOf(to) < SERVER_ORDER.indexOf(from)
    ? undefined
    : `imports ${target}, but ${to} stands after ${from} in the order of data`;
}

/** The imported file's path in the project; undefined for a package. */
function resolveImport(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(path), specifier) : undefined;
}

type AstNode = {
  type?: string;
  source?: { value?: unknown } | null;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
};

/** All import specifiers of a file (types too), and the beginnings of its strings and templates with `$` for the values. */
function read(path: string, text: string): { imports: string[]; strings: string[] } {
  const imports: string[] = [];
  const strings: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, source, value, quasis } = node as AstNode;
    if (/^(Import|Export)/.test(type ?? '') && typeof source?.value === 'string') imports.push(source.value);
    if (type === 'Literal' && typeof value === 'string') strings.push(value);
    if (type === 'TemplateLiteral') {
      strings.push((quasis ?? []).map((quasi) => quasi.value.raw).join('$'));
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return { imports, strings };
}
