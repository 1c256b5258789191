/**
 * Prints the size of the scripts that the first page after sign-in loads, compressed with brotli, and fails above 110 kB. Counts the entry
 * point, the shell, the inbox and whatever comes with every page, with all their imports, from the manifest of `vite build`.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  file: string;
  imports?: string[];
}

const LIMIT_KB = 110;
const PAGES = ['index.html', 'routes/first-page.ts'];
const built = join(import.meta.dirname, '../dist/web');
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

const needed = new Map<string, string>();
const need = (name: string): void => {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`The build has no chunk ${name}.`);
  if (needed.has(name)) return;
  needed.set(name, chunk.file);
  chunk.imports?.forEach(need);
};
PAGES.forEach(need);

const sizes = [...needed.values()].map((file) => [file, statSync(join(built, `${file}.br`)).size / 1000] as const);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [file, size] of sizes.toSorted(([, a], [, b]) => b - a))
  console.log(`${size.toFixed(1).padStart(7)} kB  ${file}`);
console.log(`${total.toFixed(1).padStart(7)} kB  for the first page after sign-in (limit ${LIMIT_KB} kB)`);
if (total > LIMIT_KB) process.exitCode = 1;
