/** Facts are folded before they are stored, so they must be then as they are read later. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { fact } from '#server/testing/facts.ts';
import type { PlacedFact } from './dossiers.ts';
import { factsOf, numberFacts, writeFacts } from './stored-facts.ts';

const { pipeline } = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, () => now);
const { id: groupId } = await make.group();

/** Text as it may stand in a field: anything but the character that PostgreSQL can't store. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.replaceAll('\0', ''));

const facts = fc.array(
  fc.record({
    trigger: fc.constantFrom('A01', 'A03', 'A08'),
    visit: fc.option(text),
    family: fc.option(text, { nil: undefined }),
    deceased: fc.option(fc.boolean(), { nil: undefined }),
    isBackfill: fc.boolean(),
    manualCode: fc.constantFrom('ADMIT', undefined),
  }),
  { minLength: 1, maxLength: 5 },
);

test('a fact that is added is the fact that is read once it is stored', async () => {
  await fc.assert(
    fc.asyncProperty(facts, async (given) => {
      const { rows } = await pipeline.query<{ id: string }>(
        `with person as (insert into persons (created_at) values ($2) returning id), added as (
           select nextval('source_patients_id_seq') as id)
         insert into source_patients (id, group_id, record_number, dossier_id, person_id, demographics, created_at)
         overriding system value
         select added.id, $1, 'MR-' || added.id, added.id, person.id, '{}', $2 from person, added returning id`,
        [groupId, now],
      );
      const sourcePatientId = rows[0]?.id ?? '';
      const placed = given.map(({ trigger, visit, family, deceased, isBackfill, manualCode }, ordinal): PlacedFact => {
        const name = family === undefined ? undefined : { family, given: 'Ada', middle: null, suffix: null };
        const patient = { ...(name && { name }), ...(deceased !== undefined && { deceased }) };
        const { adt } = fact(trigger, '10:00', { visit, patient });
        const receivedAt = '2026-11-20T15:00:00.123Z';
        const identity = { messageId: sourcePatientId, ordinal, groupId, sourcePatientId, encounterId: null };
        return { ...identity, adt, receivedAt, isBackfill, sharedFeedId: null, ...(manualCode && { manualCode }) };
      });
      const added = await numberFacts(pipeline, placed);
      const known = added.map((each) => ({ ...each, dossierId: sourcePatientId }));
      const outcomes = new Map(
        added.map(({ id }) => [id, { id, encounterId: null, outcome: '', sourcePatientId }] as const),
      );
      await writeFacts(pipeline, known, added, outcomes);
      const asRead = known.map(({ ordinal: _, ...stored }) => stored);
      expect(await factsOf(pipeline, [sourcePatientId])).toEqual(asRead);
    }),
    { numRuns: 50 },
  );
});
