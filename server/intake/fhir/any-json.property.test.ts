/** Whatever anyone sends: bytes that are no JSON, JSON that is no message, messages with anything in place of any value, and keys in any order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { fhirMessage } from '#server/testing/fhir.ts';
import { describeFhir } from './describe.ts';
import { readFhir } from './read-fhir.ts';

const feed = { settings: DEFAULT_FEED_SETTINGS, isListed: () => false };
const person = { family: 'Ostrander', given: 'Mirela', birthDate: '1951-04-07', sex: 'F', zip: '10021' } as const;
const message = fhirMessage({
  event: 'notification-admit',
  at: '2026-11-20T14:00:00Z',
  person,
  facility: 'FGH',
  disposition: 'snf',
});

/** Reads bytes in both ways, neither of which may throw. Values have to be such as the database takes. */
function readAll(bytes: Buffer) {
  describeFhir({ bytes });
  const reading = readFhir(bytes, feed);
  const written = JSON.stringify(reading);
  expect(written).not.toMatch(/\\u0000|\\ud[89a-f][0-9a-f]{2}/i);
  return reading;
}

test('no bytes and no JSON make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readAll(Buffer.from(bytes))));
  fc.assert(fc.property(fc.json({ maxDepth: 6 }), (json) => void readAll(Buffer.from(json))));
});

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'reference',
  'identifier',
  'coding',
  'code',
  'value',
  'period',
  'start',
];
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\ud800', '\u0000', '', '#', '#x', 'urn:uuid:', 'Patient/1', '2026-02-31', '9'.repeat(300)),
  fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string())),
);

/** Returns every path of a value. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}
const PATHS = pathsOf(message).filter((path) => path.length > 0);

function withValue(root: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = Array.isArray(root) ? [...root] : { ...(root as object) };
  const at = copy as Record<string | number, unknown>;
  at[key] = withValue(at[key], rest, value);
  return copy;
}

test('anything in place of any value of a message gives facts or a reason', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...PATHS), anything), { minLength: 1, maxLength: 3 }), (changes) => {
      // A later change may be in what an earlier one has replaced.
      let changed: unknown = message;
      for (const [path, value] of changes) {
        try {
          changed = withValue(changed, path, value);
        } catch {
          continue;
        }
      }
      const reading = readAll(Buffer.from(JSON.stringify(changed)));
      if (reading.kind !== 'facts') expect(reading.reason).toMatch(/\.$/);
    }),
    { numRuns: 2000 },
  );
});

function shuffled(value: unknown, keys: (all: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, keys));
  if (typeof value !== 'object' || value === null) return value;
  const of = value as Record<string, unknown>;
  return Object.fromEntries(keys(Object.keys(of)).map((key) => [key, shuffled(of[key], keys)]));
}

test('the order of keys makes no difference: some senders write resourceType last', () => {
  const factsOf = (value: unknown) => {
    const reading = readFhir(Buffer.from(JSON.stringify(value)), feed);
    return reading.kind === 'facts'
      ? { ...reading, facts: reading.facts.map((each) => ({ ...each, contentHash: '' })) }
      : reading;
  };
  const expected = factsOf(message);
  expect(expected.kind).toBe('facts');
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const order = (all: string[]) =>
        all
          .map((key) => ({ key, at: numbers.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ key }) => key);
      expect(factsOf(shuffled(message, order))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test.each<[string, () => string]>([
  ['brackets without an end', () => '['.repeat(200_000)],
  ['objects in objects', () => '{"a":'.repeat(100_000)],
  ['more values than any message has', () => `[${'1,'.repeat(600_000)}1]`],
  [
    'a million identifiers',
    () =>
      `{"resourceType":"Bundle","type":"message","entry":[{"resource":{"resourceType":"MessageHeader"}},{"resource":{"resourceType":"Patient","identifier":[${'{"value":"1"},'.repeat(240_000)}{}]}}]}`,
  ],
  ['locations that are part of each other', () => JSON.stringify(circles())],
  [
    'many entries with one fullUrl',
    () =>
      JSON.stringify({
        ...message,
        entry: [...message.entry, ...Array.from({ length: 50_000 }, () => message.entry[2])],
      }),
  ],
])('%s are refused or read, and nothing overflows', (_, json) => {
  readAll(Buffer.from(json()));
});

function circles() {
  const place = (id: string, partOf: string) => ({
    fullUrl: `urn:uuid:${id}`,
    resource: { resourceType: 'Location', name: id, partOf: { reference: `urn:uuid:${partOf}` } },
  });
  const entries = [place('a', 'b'), place('b', 'c'), place('c', 'a')];
  const location = [{ location: { reference: 'urn:uuid:a' } }];
  return fhirMessage({
    event: 'A02',
    at: '2026-11-20T14:00:00Z',
    person,
    facility: 'FGH',
    encounter: { location },
    entries,
  });
}
