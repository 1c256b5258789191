/**
 * Prints the size of the scripts that the first page after sign-in loads, compressed with brotli, and fails above 110 kB: those that the built
 * `index.html` names, which hold everything that the shell and the inbox need.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_KB = 110;
const built = join(import.meta.dirname, '../dist/web');
const named = readFileSync(join(built, 'index.html'), 'utf8').matchAll(/"\/(assets\/[^"]+\.js)"/g);

const sizes = [...named].map(([, file = '']) => [file, statSync(join(built, `${file}.br`)).size / 1000] as const);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [file, size] of sizes.toSorted(([, a], [, b]) => b - a))
  console.log(`${size.toFixed(1).padStart(7)} kB  ${file}`);
console.log(`${total.toFixed(1).padStart(7)} kB  for the first page after sign-in (limit ${LIMIT_KB} kB)`);
if (total > LIMIT_KB) process.exitCode = 1;
