import { expect, test } from 'vitest';
import { encountersExportQuery } from './exports.ts';

test('a key that has several values comes several times, or once with commas', () => {
  const asked = { groupIds: ['7', '8'], statuses: ['ADMIT', 'DISCHARGE'], fields: [] };
  expect(encountersExportQuery.parse(asked)).toMatchObject(asked);
  expect(encountersExportQuery.parse({ groupIds: '7,8', statuses: 'ADMIT,DISCHARGE' })).toMatchObject(asked);
  expect(encountersExportQuery.parse({ statuses: 'ADMIT' })).toMatchObject({ statuses: ['ADMIT'] });
  expect(encountersExportQuery.safeParse({ statuses: 'ADMIT,NAP' }).success).toBe(false);
});
