/** Source patients and roster rows to be identified, for tests of matching and of match reviews. */
import { beforeEach } from 'vitest';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { type Identified, identifyAll, movedOf } from '#server/record/matching/identify.ts';
import { createPersons } from '#server/record/matching/queries.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import type { SourceDemographics } from '#server/record/scoring/source-demographics.ts';
import { testDatabase } from './database.ts';

export interface InventedPatient {
  given: string;
  middle?: string;
  family: string;
  birthDate: string;
  sex: 'Male' | 'Female';
  line1?: string;
  zip?: string;
  phone?: string;
  ssnLast4?: string;
}

/** Name, birth date and sex only: enough for a review, not for a link. */
export const ADAEZE_WITHOUT_ADDRESS: InventedPatient = {
  given: 'Adaeze',
  family: 'Okonkwo-Reyes',
  birthDate: '1941-03-14',
  sex: 'Female',
};
export const ADAEZE: InventedPatient = { ...ADAEZE_WITHOUT_ADDRESS, line1: '12 Heron Lane', zip: '14601' };
/** Her twin. */
export const NGOZI: InventedPatient = { ...ADAEZE, given: 'Ngozi' };
export const TEUVO: InventedPatient = {
  given: 'Teuvo',
  family: 'Lahtinen',
  birthDate: '1955-07-02',
  sex: 'Male',
  line1: '4 Quay Road',
  zip: '14609',
};

const demographicsOf = ({
  given,
  family,
  birthDate,
  sex,
  line1,
  zip,
  phone,
  ...more
}: InventedPatient): SourceDemographics => ({
  name: { family, given, middle: more.middle ?? null, suffix: null },
  birthDate,
  sex,
  address: { line1: line1 ?? null, line2: null, city: null, state: null, zip: zip ?? null },
  phones: phone ? [phone] : [],
  ...(more.ssnLast4 && { ssnLast4: more.ssnLast4 }),
});

interface Ids {
  hospital: string;
  program: string;
  userId: string;
}

/** Empties the tables except for a hospital, a program and a user. */
async function reset(db: Database, now: Date): Promise<Ids> {
  const one = idFrom(db);
  await db.query(
    'truncate organizations, persons, blocking_keys, blocking_entries, person_links, match_reviews restart identity cascade',
  );
  const organization = await one(
    sql`insert into organizations (name, created_at) values ('Alder Bay', ${now}) returning id`,
  );
  const group = (name: string, type: string, facility: string | null) =>
    one(sql`insert into groups (organization_id, name, type, facility_type, time_zone, created_at)
      values (${organization}, ${name}, ${type}, ${facility}, 'America/New_York', ${now}) returning id`);
  return {
    hospital: await group('Alder Bay Hospital', 'HOS', 'HOS'),
    program: await group('Heron ACO', 'PROGRAM', null),
    userId:
      await one(sql`insert into users (organization_id, username, first_name, last_name, application_experience, created_at)
      values (${organization}, 'rdiaz', 'Rosa', 'Diaz', 'JANUS', ${now}) returning id`),
  };
}

const idFrom =
  (db: Queryable) =>
  async (statement: Sql): Promise<string> =>
    (await db.query<{ id: string }>(statement)).rows[0]?.id ?? '';

/** Functions that insert subjects, not identified yet. */
function subjectFactories(ids: Ids, now: Date) {
  let numbers = 0;
  return {
    /** Inserts a patient of a facility. */
    async patient(
      tx: Transaction,
      who: InventedPatient,
      groupId = ids.hospital,
    ): Promise<Subject & { recordNumber: string }> {
      const [person] = await createPersons(tx, 1, now);
      const recordNumber = `MR${++numbers}`;
      const id = await idFrom(tx)(sql`
        insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at)
        values (${groupId}, ${recordNumber}, 1, ${person}, ${JSON.stringify(demographicsOf(who))}, ${now}) returning id`);
      return { kind: 'SOURCE_PATIENT', id, recordNumber };
    },

    /** Inserts a roster row. `hash` null makes it a facility's own listing. */
    async listing(
      tx: Transaction,
      who: InventedPatient,
      {
        groupId = ids.program,
        memberId = `LK-${++numbers}`,
        hash = 'x',
      }: { groupId?: string; memberId?: string; hash?: string | null } = {},
    ): Promise<Subject> {
      const [person] = await createPersons(tx, 1, now);
      const { given, middle, family, birthDate, sex, line1, zip, phone, ssnLast4 } = who;
      const id = await idFrom(tx)(sql`
        insert into roster_patients (group_id, member_id, person_id, first_name, middle_name, last_name, date_of_birth, gender, address1, zip,
          home_phone, ssn_last4, content_hash, sort_first, sort_last, listed_at, opens_from)
        values (${groupId}, ${memberId}, ${person}, ${given}, ${middle ?? null}, ${family}, ${birthDate}, ${sex}, ${line1 ?? null}, ${zip ?? null},
          ${phone ?? null}, ${ssnLast4 ?? null}, ${hash}::bytea, ${given}, ${family}, ${now}, ${now}) returning id`);
      return { kind: 'ROSTER_PATIENT', id };
    },
  };
}

/** Identifies one subject. Returns what became of it, and everything that moved. */
export async function identify(
  db: Queryable,
  subject: Subject,
  options: { now: Date },
): Promise<Identified & ReturnType<typeof movedOf> & { relinked: Relinked[] }> {
  const { identified, relinked } = await identifyAll(db, [subject], options);
  const [answer] = identified;
  if (answer === undefined) throw new Error(`There is no ${subject.kind} ${subject.id} to identify`);
  return { ...answer, ...movedOf(relinked), relinked };
}

/** Call at the top of a test file. Resets the tables before each test. */
export async function subjectsForTests() {
  const database = await testDatabase();
  const db = database.owner;
  const now = new Date('2026-03-01T12:00:00Z');
  const ids: Ids = { hospital: '', program: '', userId: '' };
  beforeEach(async () => void Object.assign(ids, await reset(db, now)));

  return {
    db,
    now,
    /** Set before each test. */
    ids,
    ...subjectFactories(ids, now),

    /** Runs a transaction as the pipeline role. */
    run: <T>(fn: (tx: Transaction) => Promise<T>): Promise<T> => database.pipeline.transaction(fn),

    /** Inserts an open visit of a source patient. */
    encounter: (source: Subject): Promise<string> =>
      idFrom(db)(sql`
        insert into encounters (group_id, source_patient_id, person_id, status, setting, state, created_at, updated_at)
        select group_id, id, person_id, 'IN_PROGRESS', 'INPATIENT', '{}', ${now}, ${now} from source_patients where id = ${source.id}
        returning id`),

    personOf: ({ kind, id }: Subject): Promise<string> =>
      idFrom(db)(
        kind === 'SOURCE_PATIENT'
          ? sql`select person_id as id from source_patients where id = ${id}`
          : sql`select person_id as id from roster_patients where id = ${id}`,
      ),

    changeDemographics: (tx: Transaction, source: Subject, who: InventedPatient) =>
      tx.query(
        sql`update source_patients set demographics = ${JSON.stringify(demographicsOf(who))} where id = ${source.id}`,
      ),

    openReviews: async (): Promise<string[]> => {
      const { rows } = await db.query<{ id: string }>(
        'select id from match_reviews where decided_at is null order by id',
      );
      return rows.map(({ id }) => id);
    },

    /** Returns everything that a link updates. */
    personIds: async (): Promise<{ t: string; id: string; person_id: string }[]> => {
      const { rows } = await db.query<{ t: string; id: string; person_id: string }>(`
        select 's' as t, id, person_id from source_patients union all select 'r', id, person_id from roster_patients
        union all select 'e', id, person_id from encounters order by 1, 2`);
      return rows;
    },
  };
}
