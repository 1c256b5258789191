import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, NOBODY, sparse } from '#server/testing/invented-people.ts';
import { type Demographics, normalize } from './demographics.ts';

test.each([
  ["O'Shea", 'OSHEA'],
  ['  Ó Súilleabháin', 'OSUILLEABHAIN'],
  ['García-López', 'GARCIA LOPEZ'],
  ['van der Berg', 'VANDERBERG'],
  ['de la Cruz', 'DELACRUZ'],
  ['St. Clair', 'STCLAIR'],
  ['Mosciski958', 'MOSCISKI'],
  ['Østergård', 'OSTERGARD'],
  ['UNKNOWN', null],
  ['Test', null],
  ['XXXX', null],
  ['n/a', null],
  ['', null],
])('The family name %s is compared as %s', (family, expected) => {
  expect(sparse({ family }).family).toBe(expected);
});

test.each([
  ['Smith Jr.', null, 'SMITH', 'JR'],
  ['SMITH, III', null, 'SMITH', 'III'],
  ['Smith', 'Sr', 'SMITH', 'SR'],
  ['Smith', 'II', 'SMITH', 'JR'],
  ['Smith 2nd', null, 'SMITH', 'JR'],
  ['Smith', 'M.D.', 'SMITH', null],
  ['Junior', null, 'JUNIOR', null],
])('%s with the suffix %s is %s with the generation %s', (family, suffix, expected, generation) => {
  expect(sparse({ family, suffix })).toMatchObject({ family: expected, suffix: generation });
});

test.each([
  ['John Q.', 'JOHN', 'Q'],
  ['Mr John', 'JOHN', null],
  ['Mary Ann', 'MARY ANN', null],
  ['BABY BOY A', 'NEWBORN', 'A'],
  ['Babygirl', 'NEWBORN', null],
  ['Twin B', 'NEWBORN', 'B'],
  ['Girlie', 'GIRLIE', null],
  ['Curt84', 'CURT', null],
])('The given name %s is %s with the middle name %s', (given, expected, middle) => {
  expect(sparse({ given })).toMatchObject({ given: expected, middle });
});

test('John and Jane Doe have no name', () => {
  expect(sparse({ given: 'Jane', family: 'Doe' })).toMatchObject({ given: null, family: null });
  expect(sparse({ given: 'Ruth', family: 'Doe' })).toMatchObject({ given: 'RUTH', family: 'DOE' });
});

test.each([
  ['784 North Stamm Street, Apt. 4-B', '784 N STAMM ST', '4B'],
  ['784 N STAMM ST #4B', '784 N STAMM ST', '4B'],
  ['Apt 4 12 Elm Avenue', '12 ELM AVE', '4'],
  ['P.O. Box 17', 'PO BOX 17', null],
  ['Post Office Box 17', 'PO BOX 17', null],
  ['Homeless', null, null],
  ['12 Second St', '12 2ND ST', null],
])('The address %s is the street %s and the unit %s', (line1, street, unit) => {
  expect(sparse({ line1 })).toMatchObject({ street, unit });
});

test.each([
  ['(617) 232-8841', ['6172328841']],
  ['+1 617.232.8841 x12', ['6172328841']],
  ['232-8841', []],
  ['000-000-0000', []],
  ['999-999-9999', []],
  ['617-555-0142', []],
  ['117-232-8841', []],
])('The phone %s is %j', (phone, expected) => {
  expect(sparse({ phones: [phone] }).phones).toEqual(expected);
});

test.each<[keyof Demographics, string, string | null]>([
  ['birthDate', '19480317', '1948-03-17'],
  ['birthDate', '1900-01-01', null],
  ['birthDate', '1948-02-30', null],
  ['birthDate', '1948-13-01', null],
  ['birthDate', '03/17/1948', null],
  ['sex', 'm', 'Male'],
  ['sex', 'Unknown', null],
  ['zip', '02155-1234', '02155'],
  ['zip', '00000', null],
  ['email', ' A.B@Mail.Example', 'a.b@mail.example'],
  ['email', 'none@mail.example', null],
  ['email', 'a@b@c', null],
  ['ssnLast4', '123-45-5017', '5017'],
  ['ssnLast4', '0000', null],
  ['ssnLast4', '17', null],
  ['medicareId', '2ab3-cd4-ef56', '2AB3CD4EF56'],
  ['medicareId', '123456789A', null],
])('The field %s reads %s as %s', (field, raw, expected) => {
  expect(sparse({ [field]: raw })[field]).toBe(expected);
});

test('A member ID counts only together with its payer', () => {
  const memberIds = [
    { value: 'w-220', payer: 'Bay Plan' },
    { value: 'W221', payer: null },
  ];
  expect(sparse({ memberIds }).memberKeys).toEqual(['BAYPLAN|W220']);
});

test('Of former family names, three are left that are names and not the present one', () => {
  const formerFamilies = ['OKAFOR', 'Unknown', 'Doe', 'van der Berg', 'Vanderberg', "O'Shea Jr", 'Reyes Lim', 'Quill'];
  expect(sparse({ family: 'Okafor', formerFamilies }).formerFamilies).toEqual(['VANDERBERG', 'OSHEA', 'REYESLIM']);
});

test('Normalizing twice gives the same as normalizing once', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[A-Za-z' .#,0-9-]{0,24}$/),
    fc
      .array(fc.constantFrom('DE', 'LA', 'JR', 'II', 'J', 'Q', 'APT', '12', 'Mr', 'É', 'Baby', 'St', 'L', '2nd'))
      .map((a) => a.join(' ')),
  );
  const anything = fc.record({
    family: text,
    given: text,
    middle: text,
    suffix: text,
    line1: text,
    city: text,
    email: text,
  });
  const people = fc.oneof(
    closePeople,
    anything.map((some) => ({ ...NOBODY, ...some })),
  );
  fc.assert(
    fc.property(people, (raw) => {
      const once = normalize(raw);
      expect(normalize(once)).toEqual(once);
    }),
    { numRuns: 3000 },
  );
});
