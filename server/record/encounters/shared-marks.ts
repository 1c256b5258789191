/**
 * Finds source patients at other facilities of a feed whose dossier a fact belongs to: those who have the same stay
 * (`fold/shared-stays.ts`), and those whose record number is the same (`fold/shared-numbers.ts`).
 */
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { markedNumbersOf } from '#server/record/fold/shared-numbers.ts';
import { stayMarksOf } from '#server/record/fold/shared-stays.ts';

export interface PatientKey {
  groupId: string;
  recordNumber: string;
}

interface SharedFact {
  groupId: string;
  adt: AdtFacts;
  sharedFeedId: string | null;
}

interface Mark extends PatientKey {
  feedId: string;
  mark: string;
}

/** A mark of the fact at `index`. `isNumber`: of a record number, not of a stay. */
interface FactMark extends Mark {
  index: number;
  isNumber: boolean;
}

/**
 * Two facilities' dossiers are not joined by a record number if they would have more facts than this together. So many messages are about
 * a test patient or a number that many share, and each further one would fold those of all facilities.
 */
const MOST_FACTS = 10_000;

/**
 * Returns for each fact the source patients, at any facility of its feed, under whom its marks were first reported. The first transaction
 * registers a mark, and others with the same mark wait for it. So of two concurrent transactions one always sees the other's.
 */
export async function keysElsewhereOf(tx: Transaction, facts: readonly SharedFact[]): Promise<PatientKey[][]> {
  const keys: PatientKey[][] = facts.map(() => []);
  const marks = facts.flatMap(marksOf);
  if (marks.length === 0) return keys;
  const first = await registerMarks(tx, marks);
  const found = marks.flatMap((own) => {
    const other = first.get(nameOf(own));
    return other === undefined || isSame(own, other) ? [] : [{ own, other }];
  });
  const isTooLarge = await largePairs(
    tx,
    found.filter(({ own }) => own.isNumber),
  );
  for (const { own, other } of found) if (!isTooLarge(own, other)) keys[own.index]?.push(other);
  return keys;
}

function marksOf({ groupId, adt, sharedFeedId: feedId }: SharedFact, index: number): FactMark[] {
  if (feedId === null) return [];
  const common = { index, feedId, groupId };
  const recordNumber = adt.patient.recordNumber.trim();
  return [
    ...stayMarksOf(adt).map((mark) => ({ ...common, mark, recordNumber, isNumber: false })),
    ...markedNumbersOf(adt).map((number) => ({ ...common, ...number, isNumber: true })),
  ];
}

const nameOf = ({ feedId, mark }: Pick<Mark, 'feedId' | 'mark'>): string => `${feedId}/${mark}`;
const isSame = (a: PatientKey, b: PatientKey): boolean => a.groupId === b.groupId && a.recordNumber === b.recordNumber;

const REGISTER = `
insert into shared_stays (feed_id, mark, group_id, record_number)
select distinct on (feed_id, mark) feed_id, mark, group_id, record_number
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) as s (feed_id, mark, group_id, record_number)
order by feed_id, mark on conflict do nothing`;

/**
 * The rows stay locked, in the order of their keys: a transaction that adds a source patient of the same number while it holds the
 * dossier would wait for one that waits for the dossier.
 */
const KNOWN = `
select feed_id as "feedId", mark, group_id as "groupId", record_number as "recordNumber"
from shared_stays join unnest($1::bigint[], $2::text[]) as s (feed_id, mark) using (feed_id, mark)
order by feed_id, mark for update of shared_stays`;

async function registerMarks(tx: Transaction, marks: readonly Mark[]): Promise<Map<string, Mark>> {
  const unique = [...new Map(marks.map((mark) => [nameOf(mark), mark])).values()];
  const names = [unique.map(({ feedId }) => feedId), unique.map(({ mark }) => mark)];
  const owners = [unique.map(({ groupId }) => groupId), unique.map(({ recordNumber }) => recordNumber)];
  await tx.query(REGISTER, [...names, ...owners]);
  const { rows } = await tx.query<Mark>(KNOWN, names);
  return new Map(rows.map((row) => [nameOf(row), row]));
}

const DOSSIERS = `
select group_id as "groupId", record_number as "recordNumber", dossier_id as "dossierId"
from source_patients join unnest($1::bigint[], $2::text[]) as n (group_id, record_number) using (group_id, record_number)`;

/** Counts only as far as it matters. */
const SIZES = `
select d.id, (select count(*)::int from (
  select from source_patients s join facts f on f.source_patient_id = s.id where s.dossier_id = d.id limit $2) as counted) as size
from unnest($1::bigint[]) as d (id)`;

/** Returns which pairs of source patients have separate dossiers that are too large to be joined. */
async function largePairs(
  tx: Transaction,
  pairs: readonly { own: PatientKey; other: PatientKey }[],
): Promise<(own: PatientKey, other: PatientKey) => boolean> {
  if (pairs.length === 0) return () => false;
  const patients = pairs.flatMap(({ own, other }) => [own, other]);
  const { rows } = await tx.query<PatientKey & { dossierId: string }>(DOSSIERS, [
    patients.map(({ groupId }) => groupId),
    patients.map(({ recordNumber }) => recordNumber),
  ]);
  const keyOf = ({ groupId, recordNumber }: PatientKey) => JSON.stringify([groupId, recordNumber]);
  const dossierOf = new Map(rows.map((row) => [keyOf(row), row.dossierId]));
  const dossiersOf = (own: PatientKey, other: PatientKey) => [dossierOf.get(keyOf(own)), dossierOf.get(keyOf(other))];
  const separate = pairs.flatMap(({ own, other }) => {
    const [a, b] = dossiersOf(own, other);
    return a === b ? [] : [a, b].filter((id) => id !== undefined);
  });
  if (separate.length === 0) return () => false;
  const sizes = await tx.query<{ id: string; size: number }>(SIZES, [[...new Set(separate)], MOST_FACTS + 1]);
  const sizeOf = new Map(sizes.rows.map(({ id, size }) => [id, size]));
  return (own, other) => {
    const [a, b] = dossiersOf(own, other);
    return a !== b && (sizeOf.get(a ?? '') ?? 0) + (sizeOf.get(b ?? '') ?? 0) > MOST_FACTS;
  };
}
