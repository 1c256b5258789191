/** Strangers are not read, as their sketches show. It must make no difference to what is decided. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { hashOfKey } from '#server/record/scoring/key-hashes.ts';
import { ADAEZE, type InventedPatient, NGOZI, subjectsForTests } from '#server/testing/subjects.ts';
import { MOST_HITS } from './blocking-index.ts';
import { identifyAll } from './identify.ts';
import { loadMatchingContext } from './matching-context.ts';
import type { Subject } from './subjects.ts';

const { changeDemographics, db, ids, listing, now, patient, run } = await subjectsForTests();

const BIRTH_DATES = ['1941-03-14', '1941-03-15', '1955-07-02'];

/** People of few families, homes and birth dates, so that they are twins, namesakes, one person, or strangers who share a birth date. */
const anyone: fc.Arbitrary<InventedPatient> = fc.record({
  given: fc.constantFrom('Adaeze', 'Adaeza', 'Ngozi', 'Teuvo', 'Bill', 'William', 'A'),
  family: fc.constantFrom('Okonkwo', 'Okonkwo-Reyes', 'Lahtinen', 'Lahtinnen', 'Blackfeather'),
  birthDate: fc.constantFrom('1941-03-14', ...BIRTH_DATES),
  sex: fc.constantFrom('Female', 'Male'),
  line1: fc.constantFrom('12 Heron Lane', '4 Quay Road', '12 Herron Lane'),
  zip: fc.constantFrom('14601', '14609', '98101'),
  phone: fc.constantFrom('585-774-2231', '585-774-2232', '206-774-2233'),
});

const mostly = (usual: string, ...others: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

/** People between whom others stand: of three, two may be strangers who are both like the third one. */
const someone: fc.Arbitrary<InventedPatient> = fc.record({
  given: mostly('Adaeze', 'Ngozi', 'Wilfred'),
  family: mostly('Okonkwo', 'Blackfeather', 'Lahtinen'),
  birthDate: mostly('1941-03-14', '1955-07-02'),
  sex: fc.constant('Female'),
  line1: mostly('12 Heron Lane', '4 Quay Road', '9 Mill Street'),
  zip: mostly('14601', '98101'),
  phone: mostly('585-774-2231', '206-774-2233', '206-774-2234'),
});

const person = fc.oneof(anyone, someone);

interface Arrival {
  who: InventedPatient;
  as: 'patient' | 'row' | 'other row';
  /** Comes into the same transaction as the one before. */
  together: boolean;
  /** Comes again later, with other demographics. */
  later: InventedPatient | null;
}

const arrivals: fc.Arbitrary<Arrival[]> = fc.array(
  fc.record({
    who: person,
    as: fc.constantFrom('patient', 'row', 'other row'),
    together: fc.boolean(),
    later: fc.option(person, { freq: 5 }),
  }),
  { minLength: 4, maxLength: 14 },
);

/** Stores no sketches from now on, so that everyone who shares a key is read, or stores them again. */
async function storeSketches(isOn: boolean): Promise<void> {
  await db.query('drop trigger if exists without_sketch on blocking_entries');
  if (isOn) return;
  await db.query(`create or replace function without_sketch() returns trigger language plpgsql as
    $$ begin new.sketch := null; return new; end $$`);
  await db.query(`create trigger without_sketch before insert or update on blocking_entries
    for each row execute function without_sketch()`);
}

interface Circumstances {
  hasSketches: boolean;
  /** Of each transaction, as SQL. */
  settings?: string;
  /** Whether each birth date is also that of more people than are looked at. */
  isCrowded?: boolean;
}

const crowdOf = (birthDate: string, n: number) => sql`
  insert into blocking_keys (key, subject)
  select ${hashOfKey(`D:${birthDate.replaceAll('-', '')}`)}, ${n * 100_000} + n from generate_series(1, ${MOST_HITS + 1}) n`;

/** Identifies those who arrive, and returns who is who, by which links, and who waits in review for whom. */
async function outcome(
  all: readonly Arrival[],
  { hasSketches, settings = 'select', isCrowded = false }: Circumstances,
): Promise<unknown> {
  await storeSketches(hasSketches);
  await db.query(
    `truncate source_patients, roster_patients, blocking_keys, blocking_entries, match_reviews, person_links, persons restart identity cascade`,
  );
  if (isCrowded) for (const [n, birthDate] of BIRTH_DATES.entries()) await db.query(crowdOf(birthDate, n + 1));
  const subjects: Subject[] = [];
  const identify = (which: readonly Subject[]) =>
    run(async (tx) => {
      await tx.query(settings);
      return identifyAll(tx, which, { now });
    });
  let chunk: Subject[] = [];
  for (const { who, as, together } of all) {
    if (!together && chunk.length > 0) await identify(chunk);
    if (!together) chunk = [];
    const groupId = as === 'row' ? ids.program : ids.hospital;
    const subject = await run(async (tx) => (as === 'patient' ? patient(tx, who) : listing(tx, who, { groupId })));
    subjects.push(subject);
    chunk.push(subject);
  }
  await identify(chunk);
  for (const [index, { later }] of all.entries()) {
    const subject = subjects[index] as Subject;
    if (later === null || subject.kind !== 'SOURCE_PATIENT') continue;
    await run((tx) => changeDemographics(tx, subject, later));
    await identify([subject]);
  }
  const { rows } = await db.query(`
    select l.subject, l.subject_id, l.person_id, l.previous_person_id, l.outcome, l.rule_id, l.evidence::text,
      (select r.candidates::text from match_reviews r
        where r.subject = l.subject and r.subject_id = l.subject_id and r.decided_at is null) as review
    from person_links l order by l.id`);
  const { rows: gone } = await db.query(`
    select r.subject, r.subject_id, r.candidates from match_reviews r cross join jsonb_array_elements(r.candidates) c
    where r.decided_at is null and not exists (
      select from source_patients s where s.person_id = (c ->> 'personId')::bigint
      union all select from roster_patients s where s.person_id = (c ->> 'personId')::bigint)`);
  expect(gone, 'reviews that name a person without records').toEqual([]);
  return rows;
}

test('strangers who are not read make no difference to links and reviews', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (all) => {
      const expected = await outcome(all, { hasSketches: false });
      expect(await outcome(all, { hasSketches: true })).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

const BY_INDEX = `
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_hashagg', 'off', true)`;

test('the order in which PostgreSQL finds people makes no difference to links and reviews', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (all) => {
      const expected = await outcome(all, { hasSketches: true });
      expect(await outcome(all, { hasSketches: true, settings: BY_INDEX })).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

/** Everyone has the same letters in the family name. */
const ofOneFamily = ({ who, later, ...rest }: Arrival): Arrival => {
  const renamed = (each: InventedPatient): InventedPatient => ({ ...each, family: 'Okonkwo' });
  return { ...rest, who: renamed(who), later: later && renamed(later) };
};

test('a birth date that too many share still finds those who share the letters of a name', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (given) => {
      const all = given.map(ofOneFamily);
      const expected = await outcome(all, { hasSketches: true });
      expect(await outcome(all, { hasSketches: true, isCrowded: true })).toEqual(expected);
    }),
    { numRuns: 6 },
  );
});

const STRANGERS = ['Thackeray', 'Blackfeather', 'Quackenbush', 'Underhill'].map(
  (family, n): InventedPatient => ({
    given: ['Ngozi', 'Wilfred', 'Xiomara', 'Percy'][n] ?? '',
    family,
    birthDate: '1941-03-14',
    sex: 'Male',
    line1: `${n + 1} Quarry Road`,
    zip: `9810${n}`,
  }),
);

/** In another street under the same number. */
const ACROSS: InventedPatient = {
  given: 'Percy',
  family: 'Underhill',
  birthDate: '1955-07-02',
  sex: 'Male',
  line1: '12 Quarry Road',
  zip: ADAEZE.zip ?? '',
};

test('who shares nothing but the birth date or the house number is not read, for someone new or known', async () => {
  const read = await run(async (tx) => {
    await identifyAll(tx, await Promise.all([...STRANGERS, ACROSS].map((who) => listing(tx, who))), { now });
    const newcomer = await listing(tx, ADAEZE);
    const { candidates: first } = await loadMatchingContext(tx, [newcomer]);
    await identifyAll(tx, [newcomer], { now });
    const { candidates: later } = await loadMatchingContext(tx, [newcomer]);
    return [first, later].map((candidates) => candidates.subjects().length);
  });
  expect(read).toEqual([1, 1]);
});

/** Like Adaeze by her number and phone, and a stranger to Chidi, her twin brother. */
const MARRIED: InventedPatient = {
  given: 'Adaeza',
  family: 'Blackfeather',
  birthDate: ADAEZE.birthDate,
  sex: 'Female',
  line1: '9 Quarry Road',
  zip: '98101',
  ssnLast4: '5017',
  phone: '585-774-2231',
};

test.each(['new', 'corrected'])(
  'a stranger who may be the twin of whom a %s patient is like is read',
  async (which) => {
    const evidence = await run(async (tx) => {
      await identifyAll(tx, [await listing(tx, { ...ADAEZE, ssnLast4: '5017', phone: '585-774-2231' })], { now });
      await identifyAll(tx, [await patient(tx, { ...NGOZI, given: 'Chidi', sex: 'Male' })], { now });
      const subject = await patient(tx, which === 'new' ? MARRIED : (STRANGERS[1] as InventedPatient));
      if (which === 'corrected') {
        await identifyAll(tx, [subject], { now });
        await changeDemographics(tx, subject, MARRIED);
      }
      await identifyAll(tx, [subject], { now });
      const { rows } = await tx.query(
        sql`select candidates -> 0 -> 'evidence' -> 'vetoes' as vetoes from match_reviews where subject_id = ${subject.id} and subject = 'SOURCE_PATIENT'`,
      );
      return rows;
    });
    expect(evidence).toEqual([{ vetoes: ['household-twin'] }]);
  },
);
