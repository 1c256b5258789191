import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { decideReview, listReviews, undoReview } from '#server/record/reviews/reviews.ts';
import { testDatabase } from '#server/testing/database.ts';
import { identify } from './identify.ts';
import { createPersons } from './queries.ts';
import { mergeSourcePatients, relink, undo } from './relink.ts';
import type { SourceDemographics, Subject } from './subjects.ts';

const database = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
let hospital = '';
let program = '';
let userId = '';

const db = database.owner;
const run = <T>(fn: (tx: Transaction) => Promise<T>): Promise<T> => database.pipeline.transaction(fn);

beforeEach(async () => {
  await db.query(
    'truncate organizations, persons, blocking_keys, person_links, match_reviews restart identity cascade',
  );
  const organization = await one(
    sql`insert into organizations (name, created_at) values ('Alder Bay', ${now}) returning id`,
  );
  const group = (name: string, type: string, facility: string | null) =>
    one(sql`insert into groups (organization_id, name, type, facility_type, time_zone, created_at)
      values (${organization}, ${name}, ${type}, ${facility}, 'America/New_York', ${now}) returning id`);
  hospital = await group('Alder Bay Hospital', 'HOS', 'HOS');
  program = await group('Heron ACO', 'PROGRAM', null);
  userId =
    await one(sql`insert into users (organization_id, username, first_name, last_name, application_experience, created_at)
    values (${organization}, 'rdiaz', 'Rosa', 'Diaz', 'JANUS', ${now}) returning id`);
});

async function one(statement: ReturnType<typeof sql>): Promise<string> {
  const { rows } = await db.query<{ id: string }>(statement);
  return rows[0]?.id ?? '';
}

interface Someone {
  given: string;
  family: string;
  birthDate: string;
  sex: 'Male' | 'Female';
  line1?: string;
  zip?: string;
  phone?: string;
}

const ADAEZE: Someone = {
  given: 'Adaeze',
  family: 'Okonkwo-Reyes',
  birthDate: '1941-03-14',
  sex: 'Female',
  line1: '12 Heron Lane',
  zip: '14601',
};
const NGOZI: Someone = { ...ADAEZE, given: 'Ngozi' };
const TEUVO: Someone = {
  given: 'Teuvo',
  family: 'Lahtinen',
  birthDate: '1955-07-02',
  sex: 'Male',
  line1: '4 Quay Road',
  zip: '14609',
};

const factsOf = ({ given, family, birthDate, sex, line1, zip, phone }: Someone): SourceDemographics => ({
  name: { family, given, middle: null, suffix: null },
  birthDate,
  sex,
  address: { line1: line1 ?? null, line2: null, city: null, state: null, zip: zip ?? null },
  phones: phone ? [phone] : [],
});

let numbers = 0;

async function patient(tx: Transaction, someone: Someone, groupId = hospital): Promise<Subject> {
  const [person] = await createPersons(tx, 1, now);
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at)
    values (${groupId}, ${`MR${++numbers}`}, 1, ${person}, ${JSON.stringify(factsOf(someone))}, ${now}) returning id`);
  return { kind: 'SOURCE_PATIENT', id: rows[0]?.id ?? '' };
}

async function listing(
  tx: Transaction,
  someone: Someone,
  {
    groupId = program,
    memberId = `LK-${++numbers}`,
    hash = 'x',
  }: { groupId?: string; memberId?: string; hash?: string | null } = {},
): Promise<Subject> {
  const [person] = await createPersons(tx, 1, now);
  const { given, family, birthDate, sex, line1, zip, phone } = someone;
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into roster_patients (group_id, member_id, person_id, first_name, last_name, date_of_birth, gender, address1, zip,
      home_phone, content_hash, sort_first, sort_last, listed_at)
    values (${groupId}, ${memberId}, ${person}, ${given}, ${family}, ${birthDate}, ${sex}, ${line1 ?? null}, ${zip ?? null},
      ${phone ?? null}, ${hash}::bytea, ${given}, ${family}, ${now}) returning id`);
  return { kind: 'ROSTER_PATIENT', id: rows[0]?.id ?? '' };
}

async function encounter(source: Subject): Promise<string> {
  return one(sql`
    insert into encounters (group_id, source_patient_id, person_id, status, setting, state, created_at, updated_at)
    select group_id, id, person_id, 'IN_PROGRESS', 'INPATIENT', '{}', ${now}, ${now} from source_patients where id = ${source.id}
    returning id`);
}

const personOf = ({ kind, id }: Subject): Promise<string> =>
  one(
    kind === 'SOURCE_PATIENT'
      ? sql`select person_id as id from source_patients where id = ${id}`
      : sql`select person_id as id from roster_patients where id = ${id}`,
  );

const change = (tx: Transaction, subject: Subject, someone: Someone) =>
  tx.query(sql`update source_patients set demographics = ${JSON.stringify(factsOf(someone))} where id = ${subject.id}`);

const openReviews = async (): Promise<string[]> =>
  (await db.query<{ id: string }>('select id from match_reviews where decided_at is null order by id')).rows.map(
    ({ id }) => id,
  );

/** Everything that a link rewrites. */
async function copies(): Promise<unknown> {
  const { rows } = await db.query(`
    select 's' as t, id, person_id from source_patients union all select 'r', id, person_id from roster_patients
    union all select 'e', id, person_id from encounters order by 1, 2`);
  return rows;
}

describe('identifying', () => {
  test('a patient of a hospital is the one whom a roster lists with the same name, birth date and address', async () => {
    const { listed, answer } = await run(async (tx) => {
      const listed = await listing(tx, ADAEZE);
      await identify(tx, listed, { now });
      const source = await patient(tx, { ...ADAEZE, given: 'ADAEZE', family: 'OKONKWO REYES', line1: '12 Heron Ln' });
      return { listed, answer: await identify(tx, source, { now }) };
    });
    expect(answer).toMatchObject({ outcome: 'matched', changed: true, personId: await personOf(listed) });
    const { rows } = await db.query<{ outcome: string; rule_id: string; evidence: object }>(
      sql`select outcome, rule_id, evidence from person_links where subject = 'SOURCE_PATIENT'`,
    );
    expect(rows).toMatchObject([{ outcome: 'matched', rule_id: 'R01', evidence: { version: expect.any(String) } }]);
    expect(JSON.stringify(rows)).not.toMatch(/heron|adaeze|1941/i);
  });

  test('strangers get persons of their own', async () => {
    const [a, b] = await run(async (tx) => {
      const listed = await listing(tx, ADAEZE);
      const source = await patient(tx, TEUVO);
      return [await identify(tx, listed, { now }), await identify(tx, source, { now })];
    });
    expect(a?.outcome).toBe('new');
    expect(b?.outcome).toBe('new');
    expect(a?.personId).not.toBe(b?.personId);
  });

  test('two of a name and birth date with nothing else in common wait for a person', async () => {
    const bare: Someone = { given: 'Adaeze', family: 'Okonkwo-Reyes', birthDate: '1941-03-14', sex: 'Female' };
    const [first, second] = await run(async (tx) => {
      const listed = await listing(tx, bare);
      const source = await patient(tx, bare);
      return [await identify(tx, listed, { now }), await identify(tx, source, { now })];
    });
    expect(second?.outcome).toBe('review');
    expect(second?.personId).not.toBe(first?.personId);
    expect(await openReviews()).toHaveLength(1);
    const { rows } = await db.query<{ is_provisional: boolean }>(
      sql`select is_provisional from persons where id = ${second?.personId}`,
    );
    expect(rows[0]?.is_provisional).toBe(true);
  });

  test('twins on a roster put the hospital patient to review, whoever came first', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
    ]) {
      await db.query('truncate source_patients, roster_patients, blocking_keys, match_reviews, person_links cascade');
      const { source, outcomes } = await run(async (tx) => {
        const subjects = [await listing(tx, ADAEZE), await listing(tx, NGOZI), await patient(tx, ADAEZE)];
        for (const index of order) await identify(tx, subjects[index] as Subject, { now });
        const { rows } = await tx.query<{ outcome: string }>(
          sql`select outcome from person_links where subject = 'SOURCE_PATIENT' order by id desc limit 1`,
        );
        return { source: subjects, outcomes: rows };
      });
      const persons = await Promise.all(source.map(personOf));
      expect(new Set(persons).size, order.join()).toBe(3);
      expect(await openReviews(), order.join()).not.toHaveLength(0);
      expect(outcomes).toHaveLength(1);
    }
  });

  test('the same people come to the same persons in any order', async () => {
    const elsewhere = { ...TEUVO, phone: '585-774-2231' };
    const make = [
      (tx: Transaction) => listing(tx, ADAEZE),
      (tx: Transaction) => patient(tx, { ...ADAEZE, given: 'Adaeze ' }),
      (tx: Transaction) => patient(tx, TEUVO),
      (tx: Transaction) => listing(tx, elsewhere),
      (tx: Transaction) => listing(tx, { ...ADAEZE, family: 'Okonkwo-Reies' }),
    ];
    const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        await db.query('truncate source_patients, roster_patients, blocking_keys, match_reviews, person_links cascade');
        const made = new Map<number, Subject>();
        await run(async (tx) => {
          for (const index of order) {
            const subject = await make[index]?.(tx);
            if (subject === undefined) continue;
            made.set(index, subject);
            await identify(tx, subject, { now });
          }
        });
        const persons = await Promise.all([0, 1, 2, 3, 4].map(async (index) => personOf(made.get(index) as Subject)));
        const [a, b, c, d, e] = persons;
        expect([a === b, a === e, c === d, a === c], order.join()).toEqual([true, true, true, false]);
        expect(await openReviews()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('a link that no longer holds is taken back, with the encounters, and made again when it holds again', async () => {
    const { source, answers } = await run(async (tx) => {
      const listed = await listing(tx, ADAEZE);
      await identify(tx, listed, { now });
      const source = await patient(tx, ADAEZE);
      await identify(tx, source, { now });
      return { source, answers: listed };
    });
    const visit = await encounter(source);
    const apart = await run(async (tx) => {
      await change(tx, source, TEUVO);
      return identify(tx, source, { now });
    });
    expect(apart).toMatchObject({ outcome: 'new', changed: true, movedEncounters: [visit] });
    expect(await personOf(source)).not.toBe(await personOf(answers));
    const again = await run(async (tx) => {
      await change(tx, source, ADAEZE);
      return identify(tx, source, { now });
    });
    expect(again).toMatchObject({ outcome: 'matched', changed: true, movedEncounters: [visit] });
    expect(await personOf(source)).toBe(await personOf(answers));
  });

  test('identifying again without a change writes nothing', async () => {
    const source = await run(async (tx) => {
      const source = await patient(tx, ADAEZE);
      await identify(tx, source, { now });
      return source;
    });
    const before = await db.query('select * from person_links');
    const answer = await run((tx) => identify(tx, source, { now }));
    expect(answer.changed).toBe(false);
    expect((await db.query('select * from person_links')).rows).toEqual(before.rows);
  });

  test('a facility’s own listing is no witness and follows its source patient', async () => {
    const { own, source, listed } = await run(async (tx) => {
      const source = await patient(tx, ADAEZE);
      const own = await listing(tx, ADAEZE, { groupId: hospital, memberId: `MR${numbers}`, hash: null });
      await tx.query(
        sql`update roster_patients set person_id = (select person_id from source_patients where id = ${source.id}) where id = ${own.id}`,
      );
      const first = await identify(tx, source, { now });
      expect(first.outcome).toBe('new');
      const listed = await listing(tx, ADAEZE);
      await identify(tx, listed, { now });
      return { own, source, listed };
    });
    expect(await personOf(source)).toBe(await personOf(listed));
    expect(await personOf(own)).toBe(await personOf(source));
    await run((tx) =>
      relink(tx, source, '1', { decidedBy: userId, now, outcome: 'decided', ruleId: null, evidence: {} }),
    );
    expect(await personOf(own)).toBe('1');
  });

  test('a key that thousands share is not read and finds nobody', async () => {
    await db.query(`insert into blocking_keys (key, subject, subject_id)
      select 'P:5857742231', 'SOURCE_PATIENT', 100000 + n from generate_series(1, 50000) n`);
    let read = 0;
    const answer = await run(async (tx) => {
      const subject = await patient(tx, { ...TEUVO, phone: '585-774-2231' });
      const counting = {
        ...tx,
        query: async (...args: [string]) => {
          const result = await tx.query(...args);
          read += result.rows.length;
          return result;
        },
      } as typeof tx;
      return identify(counting, subject, { now });
    });
    expect(answer.outcome).toBe('new');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(1000);
  });

  test('two messages about one new person at the same moment make one person', async () => {
    const [a, b] = await Promise.all([
      run(async (tx) => identify(tx, await patient(tx, ADAEZE), { now })),
      run(async (tx) => identify(tx, await patient(tx, ADAEZE), { now })),
    ]);
    expect(a.personId === b.personId || a.relinked.length + b.relinked.length > 0).toBe(true);
    const { rows } = await db.query('select distinct person_id from source_patients');
    expect(rows).toHaveLength(1);
  });
});

describe('undoing', () => {
  test('puts back exactly what a link moved, and the matcher does not make it again', async () => {
    const { source } = await run(async (tx) => {
      const source = await patient(tx, ADAEZE);
      await identify(tx, source, { now });
      return { source };
    });
    await encounter(source);
    const before = await copies();
    const listed = await run(async (tx) => {
      const listed = await listing(tx, TEUVO);
      await identify(tx, listed, { now });
      return listed;
    });
    const target = await personOf(listed);
    const moved = await run((tx) =>
      relink(tx, source, target, { decidedBy: null, now, outcome: 'matched', ruleId: 'R01', evidence: {} }),
    );
    expect(moved).toMatchObject([{ to: target, encounterIds: [expect.any(String)] }]);
    await run((tx) => undo(tx, moved[0]?.linkId ?? '', { decidedBy: userId, now }));
    await db.query(sql`delete from roster_patients where id = ${listed.id}`);
    expect(await copies()).toEqual(before);
    await run(async (tx) => {
      const twin = await listing(tx, ADAEZE);
      await identify(tx, twin, { now });
      await identify(tx, source, { now });
    });
    expect(await personOf(source)).toBe((before as { person_id: string }[])[0]?.person_id);
  });

  test('refuses a link that is no longer in force', async () => {
    await run(async (tx) => {
      const source = await patient(tx, ADAEZE);
      await identify(tx, source, { now });
      const [one] = await relink(tx, source, (await createPersons(tx, 1, now))[0] ?? '', {
        decidedBy: null,
        now,
        outcome: 'decided',
        ruleId: null,
        evidence: {},
      });
      await undo(tx, one?.linkId ?? '', { decidedBy: null, now });
      await expect(undo(tx, one?.linkId ?? '', { decidedBy: null, now })).rejects.toThrow('newer link');
    });
  });
});

describe('merging', () => {
  test('the prior record number follows the surviving one, now and later', async () => {
    const { prior, surviving } = await run(async (tx) => {
      const prior = await patient(tx, TEUVO);
      const surviving = await patient(tx, ADAEZE);
      await identify(tx, prior, { now });
      await identify(tx, surviving, { now });
      await mergeSourcePatients(tx, prior.id, surviving.id, { now });
      await mergeSourcePatients(tx, prior.id, surviving.id, { now });
      await identify(tx, prior, { now });
      return { prior, surviving };
    });
    expect(await personOf(prior)).toBe(await personOf(surviving));
    const { rows } = await db.query(sql`select from person_links where outcome = 'merged'`);
    expect(rows).toHaveLength(1);
    await run(async (tx) => {
      const [person] = await createPersons(tx, 1, now);
      await relink(tx, surviving, person ?? '', {
        decidedBy: userId,
        now,
        outcome: 'decided',
        ruleId: null,
        evidence: {},
      });
    });
    expect(await personOf(prior)).toBe(await personOf(surviving));
  });
});

describe('reviews', () => {
  const bare: Someone = { given: 'Adaeze', family: 'Okonkwo-Reyes', birthDate: '1941-03-14', sex: 'Female' };
  const make = () =>
    run(async (tx) => {
      const listed = await listing(tx, bare);
      await identify(tx, listed, { now });
      const source = await patient(tx, bare);
      await identify(tx, source, { now });
      return { listed, source };
    });
  const options = () => ({ groupIds: [hospital], decidedBy: userId, now });

  test('are listed for their facility only', async () => {
    await make();
    const page = { pageNumber: 1, pageSize: 20 };
    expect(await listReviews(db, [program], page)).toEqual({ reviews: [], total: 0 });
    expect(await listReviews(db, [hospital], page)).toMatchObject({
      total: 1,
      reviews: [
        {
          facilityName: 'Alder Bay Hospital',
          ruleId: expect.any(String),
          candidates: [{ evidence: { version: expect.any(String) } }],
        },
      ],
    });
  });

  test('a decision links, stays when demographics change, and undone puts all back and waits again', async () => {
    const { listed, source } = await make();
    await encounter(source);
    const before = await copies();
    const [review = ''] = await openReviews();
    expect(await run((tx) => decideReview(tx, review, '999', options()))).toBeNull();
    expect(
      await run(async (tx) => decideReview(tx, review, await personOf(listed), { ...options(), groupIds: [program] })),
    ).toBeNull();
    const moved = await run(async (tx) => decideReview(tx, review, await personOf(listed), options()));
    expect(moved).toMatchObject([{ encounterIds: [expect.any(String)] }]);
    expect(await personOf(source)).toBe(await personOf(listed));
    await run(async (tx) => {
      await change(tx, source, TEUVO);
      expect((await identify(tx, source, { now })).changed).toBe(false);
      await change(tx, source, bare);
      await identify(tx, source, { now });
    });
    await run((tx) => undoReview(tx, review, options()));
    expect(await copies()).toEqual(before);
    expect(await openReviews()).toEqual([review]);
  });

  test('keeping apart closes the review and holds against stronger evidence', async () => {
    const { listed, source } = await make();
    const [review = ''] = await openReviews();
    await run((tx) => decideReview(tx, review, null, options()));
    expect(await openReviews()).toEqual([]);
    await run(async (tx) => {
      await change(tx, source, ADAEZE);
      await identify(tx, source, { now });
    });
    expect(await personOf(source)).not.toBe(await personOf(listed));
  });

  test('close by themselves when the demographics leave no doubt', async () => {
    const { listed, source } = await make();
    await run(async (tx) => {
      await tx.query(sql`update roster_patients set address1 = '12 Heron Lane', zip = '14601' where id = ${listed.id}`);
      await identify(tx, listed, { now });
      await change(tx, source, ADAEZE);
      await identify(tx, source, { now });
    });
    expect(await personOf(source)).toBe(await personOf(listed));
    expect(await openReviews()).toEqual([]);
  });
});
