import { dirname, join } from 'node:path/posix';
import { parseAst } from 'vite';

/**
 * The floors of the server in the order in which data flows, and the folders of each. A file imports its own folder, folders before
 * it on its floor, and everything on the floors before. A new folder gets its place here.
 */
export const SERVER_FLOORS: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'text',
    'name-frequencies',
    'calendar',
    'network',
    'secrets',
    'metrics',
    'database',
    'backup',
    'changes',
    'http',
    'mail',
    'threads',
  ],
  people: ['audit', 'access', 'accounts', 'sso', 'admin', 'organizations', 'scim'],
  intake: ['hl7', 'ccda', 'fhir', 'documents', 'feeds', 'messages', 'mllp', 'document-calls', 'fhir-calls'],
  record: [
    'scoring',
    'fold',
    'encounters',
    'documents',
    'rules',
    'matching',
    'evaluation',
    'site-numbers',
    'pings',
    'listings',
    'reviews',
    'new-version',
  ],
  work: [
    'tags',
    'contact-attempts',
    'worklist',
    'patients',
    'pre-admit',
    'waivers',
    'rising-risk',
    'hl7-programs',
    'search',
    'saved-filters',
    'notifications',
    'rosters',
    'care',
    'consents',
    'documents',
    'follow-ups',
    'facility-links',
    'details',
    'story',
    'explain',
    'evidence',
    'list-gaps',
    'live',
  ],
  insight: ['exports', 'usage', 'spotlights', 'reports', 'metrics'],
};

/** The folders of the pages, foundations first: a file imports its own folder and those before it. */
export const WEB_FOLDERS: readonly string[] = [
  'errors',
  'api',
  'router',
  'ui',
  'usage',
  'session',
  'patient',
  'forms',
  'support',
  'filters',
  'lists',
  'notifications',
  'saved-filters',
  'exports',
  'consents',
  'patient-links-out',
  'manual',
  'contact-attempts',
  'follow-ups',
  'documents',
  'facility-links',
  'inbox',
  'care',
  'story',
  'patients',
  'length-of-stay',
  'pre-admit',
  'event-feed',
  'rising-risk',
  'spotlights',
  'rosters',
  'reviews',
  'explain',
  'admin',
  'reports',
  'feeds',
  'sign-in',
  'link-holders',
  'profile',
  'shell',
  'routes',
];

/** Folders of pure functions: no database, no files, no network. */
export const PURE_FOLDERS: readonly string[] = [
  'contract',
  'demo/world',
  'server/platform/text',
  'server/platform/calendar',
  'server/intake/hl7',
  'server/intake/ccda',
  'server/intake/documents',
  'server/record/fold',
  'server/record/rules',
  'server/record/scoring',
  'server/work/search/columns',
];

/** The composition: it imports every floor, and no floor imports it, except for the types of `config.ts`. */
const COMPOSITION =
  /^server\/(main|app|http|pipeline|routes|readings|worker|(pipeline|preview|job|reading)-thread)\.ts$/;
const IS_TEST = /\.test\.tsx?$|^(server|web)\/testing\//;

/** The first pattern that fits a file says what it may import from the project; the order of folders comes on top. */
const MAY_IMPORT: [file: RegExp, imports: RegExp, reason: string][] = [
  [/^contract\//, /^contract\//, 'the contract imports zod and itself'],
  [/^web\//, /^(web|contract)\//, 'the web pages know the server by the contract alone'],
  [/^demo\/world\//, /^(demo\/world|contract)\//, 'the generator of worlds knows the truth without our parser'],
  [COMPOSITION, /^(server|contract|demo)\//, 'the composition imports all of the server'],
  [/^server\/testing\/|^(demo|bench|e2e|scripts)\//, /./, ''],
  [
    /^server\/work\/search\/columns\//,
    /^server\/work\/search\/columns\//,
    'the columns know nothing of what they hold',
  ],
  [/^server\/config\.ts$/, /^(contract\/|server\/platform\/)/, 'the configuration knows the platform alone'],
  [/^server\//, /^(server|contract)\//, 'the server imports itself and the contract'],
];

const INPUT_OUTPUT = /^(node:)?(fs|fs\/promises|net|tls|http|https|http2|dgram|dns|child_process|worker_threads)$|^pg$/;

/** SQL belongs to the rule it implements, or to the folder's queries.ts; never to routes, and never to a pure folder. */
const HOLDS_SQL = /^server\/(?!(.*\/)?routes\.ts$)|^(bench|demo|e2e|scripts)\//;
/** Case matters: 'Select a team' is a label. */
const SQL =
  /^\s*(select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s|create\s+(table|index|function)\s|SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s)/;
/** The clock is passed in. */
const SQL_CLOCK =
  /(?<![\w.])(now\s*\(\s*\)|clock_timestamp\s*\(|statement_timestamp\s*\(|current_timestamp\b|current_date\b|localtimestamp\b)/i;
const NEEDS_CLOCK = /^(server\/(?!platform\/database\/|platform\/changes\/|testing\/)|demo\/)/;

export type SourceFile = {
  /** Relative to the project, with slashes. */
  path: string;
  text: string;
};

const isPure = (path: string): boolean => PURE_FOLDERS.some((folder) => path.startsWith(`${folder}/`));

/** Returns what a file does against the rules above, one line each: the file, then the reason. */
export function violations({ path, text }: SourceFile): string[] {
  const { imports, strings } = readSource(path, text);
  const isTest = IS_TEST.test(path);
  const found = imports.flatMap((specifier) => importViolation(path, specifier) ?? []);
  if (!isTest && (!HOLDS_SQL.test(path) || isPure(path)) && strings.some((each) => SQL.test(each))) {
    found.push('contains SQL, which belongs to the rule that it is or to the queries.ts of its folder');
  }
  if (!isTest && NEEDS_CLOCK.test(path) && strings.some((each) => SQL_CLOCK.test(each))) {
    found.push('takes the time from the database: the clock is passed in as a parameter');
  }
  return found.map((reason) => `${path}: ${reason}`);
}

function importViolation(path: string, specifier: string): string | undefined {
  const isTest = IS_TEST.test(path);
  const target = resolveImport(path, specifier);
  if (!isTest && isPure(path)) {
    const reaches =
      target === undefined ? INPUT_OUTPUT.test(specifier) : target.startsWith('server/platform/database/');
    if (reaches) return `imports '${specifier}', but this folder is pure: no database, no files, no network`;
  }
  if (target === undefined) {
    const foreign = path.startsWith('contract/') && !isTest && specifier !== 'zod';
    return foreign ? `imports '${specifier}', but the contract imports zod and itself` : undefined;
  }
  const rule = MAY_IMPORT.find(([file]) => file.test(path));
  if (rule === undefined) return 'is in no folder that this check knows';
  const isFree = isTest || rule[2] === '';
  if (!isFree && !rule[1].test(target)) return `imports ${target}, but ${rule[2]}`;
  if (isFree || COMPOSITION.test(path)) return undefined;
  return path.startsWith('web/') ? webViolation(path, target) : serverViolation(path, target);
}

const SERVER_ORDER = Object.entries(SERVER_FLOORS).flatMap(([floor, folders]) =>
  folders.map((folder) => `${floor}/${folder}`),
);

function serverViolation(path: string, target: string): string | undefined {
  if (!path.startsWith('server/') || !target.startsWith('server/') || target === 'server/config.ts') return undefined;
  if (target.startsWith('server/testing/')) return `imports ${target}, but only tests do`;
  const from = serverFolder(path);
  if (from === undefined) return undefined;
  const to = serverFolder(target);
  if (to === undefined) return `imports ${target}, but no floor imports the composition`;
  const unknown = [from, to].find((folder) => !SERVER_ORDER.includes(folder));
  if (unknown !== undefined) return `server/${unknown} has no place on the floors of scripts/import-rules.ts`;
  if (SERVER_ORDER.indexOf(to) <= SERVER_ORDER.indexOf(from)) return undefined;
  const [floor, targetFloor] = [from, to].map((folder) => folder.split('/')[0]);
  return floor === targetFloor
    ? `imports ${target}, but ${to} comes after ${from} on its floor`
    : `imports ${target}, but the floor ${targetFloor} comes after ${floor}`;
}

const serverFolder = (path: string): string | undefined => /^server\/([^/]+\/[^/]+)\//.exec(path)?.[1];

function webViolation(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((file) => /^web\/([^/]+)\//.exec(file)?.[1]);
  if (from === undefined || !target.startsWith('web/')) return undefined;
  if (to === undefined) return `imports ${target}, but a page's folder imports only folders`;
  const unknown = [from, to].find((folder) => !WEB_FOLDERS.includes(folder));
  if (unknown !== undefined) return `web/${unknown} has no place in the order of scripts/import-rules.ts`;
  return WEB_FOLDERS.indexOf(to) <= WEB_FOLDERS.indexOf(from)
    ? undefined
    : `imports ${target}, but ${to} comes after ${from} in the order of the pages`;
}

/** The folders that the rules name and that hold none of these files: a rule for nothing misleads the reader. */
export function emptyFolders(paths: readonly string[]): string[] {
  const named = [
    ...SERVER_ORDER.map((folder) => `server/${folder}`),
    ...WEB_FOLDERS.map((folder) => `web/${folder}`),
    ...PURE_FOLDERS,
  ];
  return named.filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)));
}

/** Returns the imported file's path in the project; undefined for a package. */
export function resolveImport(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(path), specifier) : undefined;
}

type AstNode = {
  type?: string;
  source?: { value?: unknown } | null;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
};

/** Returns all import specifiers of a file (types too), and its strings and templates, with `$` for the values. */
export function readSource(path: string, text: string): { imports: string[]; strings: string[] } {
  const imports: string[] = [];
  const strings: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, source, value, quasis } = node as AstNode;
    if (/^(Import|Export)|^TSImportType$/.test(type ?? '') && typeof source?.value === 'string') {
      imports.push(source.value);
    }
    if (type === 'Literal' && typeof value === 'string') strings.push(value);
    if (type === 'TemplateLiteral') {
      strings.push((quasis ?? []).map((quasi) => quasi.value.raw).join('$'));
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return { imports, strings };
}
