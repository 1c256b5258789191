import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
const files = ['contract', 'server', 'web', 'demo', 'bench', 'e2e', 'scripts', 'docs'].flatMap(filesBelow);
const documents = ['README.md', 'CONTRIBUTING.md', ...files.filter((path) => /^docs\/.*\.md$/.test(path))];

/** Whether a path that a document writes names a file or a folder, from the root, below server/, or by its last part alone. */
const exists = (path: string): boolean =>
  existsSync(join(root, path)) || files.some((file) => file.endsWith(`/${path.replace(/\/$/, '')}`));

test.each(documents)('%s names only files that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([\w@#.-]+(?:\/[\w.-]+)*\.(?:ts|tsx|sql|mjs))`/g)].map(([, path = '']) => path);
  const patterns = /^x\./;
  expect(named.filter((path) => !patterns.test(path) && !exists(path))).toEqual([]);
});

test.each(documents)('%s links only to what exists', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path = '']) => path);
  const missing = links.filter((path) => !existsSync(join(root, document, '..', path)));
  expect(missing).toEqual([]);
});
