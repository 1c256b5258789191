import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { violations } from './import-rules.ts';

/** Holds every source file against `import-rules.ts`; prints what is wrong, a line each, and then ends with code 1. */
const root = join(import.meta.dirname, '..');
const files = ['contract', 'server', 'web', 'demo', 'bench', 'e2e', 'scripts'].flatMap((folder) =>
  sourcesBelow(folder),
);
const wrong = files.flatMap((path) => violations({ path, text: readFileSync(join(root, path), 'utf8') }));

for (const line of wrong) console.error(line);
console.log(`${files.length} files, ${wrong.length} against the rules of imports and SQL`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function sourcesBelow(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}
