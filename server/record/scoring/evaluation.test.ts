/**
 * Precision and recall on FEBRL data set 1: 500 invented people, each with an original and a corrupted record; `rec_id` tells
 * which belong together. The file is not in this repository: set TIDINGS_FEBRL to its path, or this test is skipped. Only
 * counts are printed.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOBODY } from '#server/testing/invented-people.ts';
import { blockingKeys } from './blocking.ts';
import { decide, type KnownPerson } from './decide.ts';
import { type NormalizedDemographics, normalize } from './demographics.ts';

const file = process.env.TIDINGS_FEBRL;

interface FebrlRecord {
  personId: string;
  isOriginal: boolean;
  demographics: NormalizedDemographics;
}

function readFebrl(path: string): FebrlRecord[] {
  const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  return rows.map((row) => {
    const [id = '', given, family, number, street, , city, postcode, state, birthDate, ssn] = row
      .split(',')
      .map((cell) => cell.trim());
    const [, personId = '', kind] = /^rec-(\d+)-(org|dup)/.exec(id) ?? [];
    const demographics = normalize({
      ...NOBODY,
      given: given ?? null,
      family: family ?? null,
      line1: `${number} ${street}`,
      city: city ?? null,
      // Australian postcodes have four digits.
      zip: `0${postcode}`,
      state: state ?? null,
      birthDate: birthDate ?? null,
      ssnLast4: ssn?.slice(-4) ?? null,
    });
    return { personId, isOriginal: kind === 'org', demographics };
  });
}

test.skipIf(file === undefined)('Every automatic link in FEBRL data set 1 is correct', () => {
  const records = readFebrl(file ?? '');
  const originals = records.filter(({ isOriginal }) => isOriginal);
  const byKey = new Map<string, FebrlRecord[]>();
  for (const original of originals) {
    for (const key of blockingKeys(original.demographics)) byKey.set(key, [...(byKey.get(key) ?? []), original]);
  }
  const counts = { duplicates: 0, linkedRightly: 0, linkedWrongly: 0, reviewedRightly: 0, reviewedWrongly: 0, new: 0 };
  for (const { demographics } of records.filter(({ isOriginal }) => !isOriginal)) {
    counts.duplicates++;
    const truth = records.find((record) => record.demographics === demographics)?.personId;
    const found = new Map<string, KnownPerson>();
    for (const { personId, demographics: known } of blockingKeys(demographics).flatMap((key) => byKey.get(key) ?? [])) {
      found.set(personId, { personId, records: [known] });
    }
    const decision = decide(demographics, [...found.values()]);
    if (decision.outcome === 'new') counts.new++;
    else if (decision.outcome === 'matched') counts[decision.personId === truth ? 'linkedRightly' : 'linkedWrongly']++;
    else {
      const isFound = decision.candidates.some(({ personId }) => personId === truth);
      counts[isFound ? 'reviewedRightly' : 'reviewedWrongly']++;
    }
  }
  expect(counts.duplicates).toBe(500);
  expect(counts.linkedWrongly).toBe(0);
  expect(counts.linkedRightly / counts.duplicates).toBeGreaterThan(0.5);
  expect((counts.linkedRightly + counts.reviewedRightly) / counts.duplicates).toBeGreaterThan(0.8);
});
