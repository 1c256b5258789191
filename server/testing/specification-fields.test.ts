import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { has } from './schema-fields.ts';
import { SPECIFICATION_FIELDS, type SpecifiedEntity } from './specification-fields.ts';

const ENTITIES = Object.entries(SPECIFICATION_FIELDS) as [string, SpecifiedEntity][];
const ALL = ENTITIES.flatMap(([entity, { fields }]) => fields.map((field) => `${entity}: ${field}`));

/** Fields that connect records or describe others. No one reads them. */
const NOT_FOR_READERS =
  /(^|[a-z])(Id|Key|parentId|Identifier)$|: (id|cohorts|orgs|disabled|creatorGroupName|insurancePlanOrder|ccdUuid)$|\.(creatorGroupType|id|mainCode|parentCode)$/;

test('the contract has every field of the specification', () => {
  const missing = ENTITIES.flatMap(([entity, { schema, fields }]) =>
    fields.filter((field) => !has(schema, field.split('.'))).map((field) => `${entity}: ${field}`),
  );
  expect(missing).toEqual([]);
});

test('a page shows every field of the specification', () => {
  const shown = new Set(wordsOfPages());
  const toShow = ALL.filter((field) => !NOT_FOR_READERS.test(field));
  expect(toShow.filter((field) => !shown.has(field.split(/[ .]/).at(-1) ?? ''))).toEqual([]);
});

function wordsOfPages(): string[] {
  const web = join(import.meta.dirname, '../../web');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|^testing/.test(file),
  );
  return files.flatMap((file) => readFileSync(join(web, file), 'utf8').match(/\w+/g) ?? []);
}
