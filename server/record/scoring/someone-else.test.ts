import { expect, test } from 'vitest';
import { person } from '#server/testing/invented-people.ts';
import { decide, type KnownPerson } from './decide.ts';

const known = (personId: string, ...records: KnownPerson['records']): KnownPerson => ({ personId, records });

test('Who agrees in the name and lacks the number that agrees with another prevents no link, unless by a home or phone of their own', () => {
  const thin = person({ phones: [], email: null, ssnLast4: null, medicareId: null, memberIds: [] });
  const [full, moved] = [person(), person({ line1: '9 Quay Rd', zip: '02301', city: 'Brockton' })];
  expect(decide(full, [known('7', thin)]).outcome).toBe('matched');
  expect(decide(full, [known('7', thin), known('8', full)])).toMatchObject({ outcome: 'matched', personId: '8' });
  const withoutMiddle = person({ middle: null });
  expect(decide(full, [known('7', thin), known('8', withoutMiddle)])).toMatchObject({ personId: '8' });
  expect(decide(full, [known('7', thin), known('8', moved)]).outcome).toBe('review');
  // Who has the number too may be the patient as well.
  expect(decide(full, [known('7', thin), known('8', full), known('9', full)]).outcome).toBe('review');
  const otherNumber = person({ ssnLast4: '9944', medicareId: null });
  expect(decide(full, [known('7', otherNumber), known('8', full)]).outcome).toBe('review');
});
