import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_FLOORS, WEB_FOLDERS } from './import-rules.ts';

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

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .replace(/\s/g, '-');

test.each(documents)('%s links only to headings that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
  const missing = links.filter(([, path, anchor]) => {
    const target = readFileSync(path === undefined ? join(root, document) : join(root, document, '..', path), 'utf8');
    return ![...target.matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test('the tour of the README names every folder of the server and the pages', () => {
  const tour = readFileSync(join(root, 'README.md'), 'utf8');
  const folders = [
    ...Object.values(SERVER_FLOORS)
      .flat()
      .map((folder) => `${folder}/`),
    ...WEB_FOLDERS,
  ];
  expect(folders.filter((folder) => !tour.includes(`\`${folder}\``))).toEqual([]);
});

test('the architecture names every table', () => {
  const schema = readFileSync(join(root, 'server/platform/database/schema.sql'), 'utf8');
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table);
  const named = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').split(/\W+/);
  const partition = /_\d{4}_\d{2}$/;
  expect(tables.filter((table) => !partition.test(table) && !named.includes(table))).toEqual([]);
});
