import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, FULL, NOBODY } from '#server/testing/invented-people.ts';
import { blockingKeys } from './blocking.ts';
import { compare } from './comparison.ts';
import { type Demographics, type NormalizedDemographics, normalize } from './demographics.ts';
import { mayBeAlike, mayBeTwins, mayMatter } from './may-matter.ts';
import { mayBeWorthReview, scoreOf } from './score.ts';
import { packed, SKETCH_BYTES, sketchOf, unpacked } from './sketch.ts';
import { couldBeTwins } from './vetoes.ts';

const NO_CONTACTS = { phones: [], email: null };
const NO_HOME = { street: null, houseNumber: null, streetWords: '', streetName: '', unit: null };

/** Whether the two matter to each other by their records, also if a contact or the address does not count because many share it. */
function matters(a: NormalizedDemographics, b: NormalizedDemographics): boolean {
  const isSameHome =
    a.street !== null && a.zip !== null && a.street === b.street && a.zip === b.zip && a.unit === b.unit;
  if (isSameHome || a.phones.some((phone) => b.phones.includes(phone)) || couldBeTwins(a, b)) return true;
  return [a, { ...a, ...NO_CONTACTS }, { ...a, ...NO_HOME }, { ...a, ...NO_CONTACTS, ...NO_HOME }].some((variant) =>
    mayBeWorthReview(scoreOf(variant, b, compare(variant, b)).bits),
  );
}

/** Whether both have an email, a Medicare ID or a member ID: who shares one of these is read whatever the sketch shows. */
function haveNumberInCommon(a: NormalizedDemographics, b: NormalizedDemographics): boolean {
  const numbers = new Set(blockingKeys(a).filter((key) => /^[EMI]:/.test(key)));
  return blockingKeys(b).some((key) => numbers.has(key));
}

const isSound = (a: Demographics, b: Demographics): boolean => {
  const [x, y] = [normalize(a), normalize(b)];
  if (haveNumberInCommon(x, y)) return true;
  const isAlike =
    mayBeWorthReview(scoreOf(x, y, compare(x, y)).bits) && !x.phones.some((phone) => y.phones.includes(phone));
  const [p, q] = [sketchOf(x), sketchOf(y)];
  return (
    (mayMatter(p, q) || !matters(x, y)) && (mayBeAlike(p, q) || !isAlike) && (mayBeTwins(p, q) || !couldBeTwins(x, y))
  );
};

test('no two records whose sketches say that they have nothing to do with each other are worth a review', () => {
  fc.assert(
    fc.property(closePeople, closePeople, (a, b) => isSound(a, b)),
    { numRuns: 5000 },
  );
});

/** Changes up to three letters. */
const typed = (word: string) =>
  fc
    .array(fc.tuple(fc.nat(30), fc.constantFrom('insert', 'drop', 'replace', 'swap'), fc.constantFrom(...'AEKLMRST')), {
      maxLength: 3,
    })
    .map((edits) =>
      edits.reduce((text, [place, kind, letter]) => {
        const at = place % Math.max(1, text.length);
        if (kind === 'insert') return text.slice(0, at) + letter + text.slice(at);
        if (kind === 'drop') return text.slice(0, at) + text.slice(at + 1);
        if (kind === 'replace') return text.slice(0, at) + letter + text.slice(at + 1);
        return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
      }, word),
    );

const changed = fc.record({
  family: typed('Lindqvist'),
  given: fc.oneof(typed('Margaret'), fc.constantFrom('Peggy', 'Maggie', 'M', 'Margaret Ann', 'Baby Girl', 'Lindqvist')),
  middle: fc.oneof(typed('Rose'), fc.constantFrom('R', 'B', null)),
  suffix: fc.constantFrom(null, 'Jr', 'Sr'),
  birthDate: fc.constantFrom('1948-03-17', '1948-03-18', '1949-03-17', '1948-07-03', '1961-11-02', '1948-01-01', null),
  sex: fc.constantFrom('F', 'M', null),
  line1: fc.oneof(typed('784 N Stamm St'), fc.constantFrom('12 Elm Road', '784B N Stamm St Apt 46', null)),
  city: fc.oneof(typed('Fairhaven'), fc.constantFrom('Port Orrin', null)),
  zip: fc.constantFrom('02155', '02156', '02515', '98101', null),
  ssnLast4: fc.constantFrom('5017', '5071', '5018', '8823', null),
  medicareId: fc.constantFrom('2AB3-CD4-EF56', '2AB3-CD4-EF57', '3WX9-YZ8-KL21', null),
  formerFamilies: fc.constantFrom([], ['Okafor']),
});

test('nor two records of which one is the other with errors', () => {
  const fields = fc.subarray(Object.keys(FULL) as (keyof Demographics)[]);
  fc.assert(
    fc.property(changed, changed, fields, fc.boolean(), (a, b, missing, isFull) => {
      const one = { ...(isFull ? FULL : NOBODY), ...a, phones: [], email: null, memberIds: [] };
      const lacking = Object.fromEntries(missing.map((field) => [field, NOBODY[field]]));
      return isSound(one, { ...NOBODY, ...b, ...lacking });
    }),
    { numRuns: 20_000 },
  );
});

test('strangers of one birth date, and namesakes who have nothing else in common, need not be read', () => {
  const one = normalize({ ...FULL, phones: ['617-232-8841'] });
  const stranger = {
    given: 'Thaddeus',
    family: 'Blackfeather',
    line1: '9 Quarry Road',
    city: 'Port Orrin',
    zip: '54993',
  };
  const sameDay = normalize({
    ...FULL,
    ...stranger,
    sex: 'M',
    ssnLast4: '8823',
    medicareId: '3WX9-YZ8-KL21',
    phones: [],
  });
  expect(mayMatter(sketchOf(one), sketchOf(sameDay))).toBe(false);
  const { line1, city, zip } = stranger;
  const namesake = normalize({
    ...FULL,
    line1,
    city,
    zip,
    birthDate: '1961-11-02',
    middle: 'Ines',
    medicareId: null,
    ssnLast4: '8823',
    phones: [],
  });
  expect(mayMatter(sketchOf(one), sketchOf(namesake))).toBe(false);
});

test('a sketch is stored as it is', () => {
  fc.assert(
    fc.property(closePeople, (person) => {
      const sketch = sketchOf(normalize(person));
      const bytes = packed(sketch);
      expect(bytes).toHaveLength(SKETCH_BYTES);
      expect(unpacked(Buffer.concat([Buffer.alloc(3), bytes]), 3)).toEqual(sketch);
    }),
  );
});
