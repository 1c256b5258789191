import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oversized } from './code-size.ts';
import { importCircles } from './import-circles.ts';
import { emptyFolders, violations } from './import-rules.ts';

/** Holds the source files against the rules of imports, SQL and size; prints one line per violation and then exits with code 1. */
const root = join(import.meta.dirname, '..');
const files = ['contract', 'server', 'web', 'demo', 'bench', 'e2e', 'scripts'].flatMap(sourcesBelow);

const wrong = [
  ...files.flatMap(violations),
  ...importCircles(files).map((circle) => `a circle of imports: ${circle.toSorted().join(', ')}`),
  ...emptyFolders(files.map(({ path }) => path)).map((folder) => `${folder}: the rules name it, but it holds no file`),
  ...oversized(files),
];

for (const line of wrong) console.error(line);
console.log(`${files.length} files, ${wrong.length} against the rules of imports, SQL and size`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function sourcesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
