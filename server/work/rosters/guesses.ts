/**
 * Holds rows that look like guesses of a person's identifying details. A held row is a row with an error: it changes nothing. All that the
 * organization lists counts, and what it listed in the last 30 days, so that nothing is gained by another file or another program.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { inTurns } from '#server/platform/threads/in-turns.ts';
import { attemptOfMember, keyOfMember, remember, rememberedSince } from '#server/record/listings/identity-attempts.ts';
import { ofRoster, type RosterDemographics } from '#server/record/matching/subjects.ts';
import { type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { type Guess, type GuessKind, GuessList, guessesOf, MOST_GONE } from '#server/record/scoring/guess-keys.ts';
import { GuessTally, type Held, type Whereabouts } from './guess-tally.ts';
import { stopIfCanceled, type Upload } from './job.ts';
import { addError } from './row-errors.ts';

const ALIKE = {
  column: 'Whole row',
  reason:
    'Several rows describe the same person with different details. Check them with your source, or contact support',
};
const CHANGED = {
  column: 'Whole row',
  reason: `This person's details changed more than ${MOST_GONE} times in 30 days. Check them with your source, or contact support`,
};

/** A number on more rows than this belongs to an office or a nursing home. The matcher ignores it from the fifth person on. */
const MOST_ON_A_PHONE = 30;
/** A record number whose person changes again and again. */
const OF_MEMBER: GuessKind = {
  varies: 'birthDate',
  stays: [],
  most: Number.POSITIVE_INFINITY,
  mostGone: MOST_GONE,
  growth: 0,
};

interface Listed {
  memberId: string;
  groupId: string;
  person: RosterDemographics;
  where: Whereabouts;
}

/** Someone whose row is new, or says something else of who they are. */
interface Changed extends Listed {
  rowNumber: number;
}

/** Of up to so many such rows each key is counted, and everyone else is read once instead of twice. */
const FEW = 1000;

/** Holds the rows, and remembers the details that the others replace. Returns how many rows are held. Run it once per upload. */
export async function holdGuesses(tx: Queryable, upload: Upload, now: Date): Promise<number> {
  const { records, rows, changes } = await count(tx, upload, now);
  if (changes === 0) return 0;
  const shared = await sharedPhones(tx, upload);
  const list = new GuessList();
  const countFirst = async (tally: GuessTally, people: AsyncIterable<Listed>): Promise<GuessTally> => {
    for await (const { memberId, groupId, person } of people) {
      list.fillKeys(normalize(ofRoster(person)));
      tally.firstOf(list);
      tally.first(keyOfMember(groupId, memberId));
    }
    return tally;
  };
  let tally = new GuessTally({ records, rows, isExact: changes <= FEW });
  if (changes <= FEW) await countFirst(tally, changed(tx, upload));
  if (changes > FEW || tally.isFull) {
    tally = await countFirst(new GuessTally({ records, rows }), everyone(tx, upload, now));
    for await (const { keys } of attempts(tx, upload, now)) for (const key of keys) tally.first(key);
  }
  await stopIfCanceled(tx, upload.id);
  for await (const { memberId, groupId, person, where } of everyone(tx, upload, now)) {
    const normalized = normalize(ofRoster(person));
    list.fill(normalized, shared);
    tally.secondOf(list, where);
    if (tally.isFrequent(keyOfMember(groupId, memberId), OF_MEMBER))
      tally.second(memberGuess(groupId, memberId, normalized), where);
  }
  for await (const { keys, guesses } of attempts(tx, upload, now)) tally.past(keys, guesses);
  await stopIfCanceled(tx, upload.id);
  const rowsHeld: Record<Held, number[]> = { alike: [], changed: [] };
  if (tally.settle())
    for await (const { memberId, groupId, person, rowNumber } of changed(tx, upload)) {
      list.fillKeys(normalize(ofRoster(person)));
      const held = tally.heldOf(list, keyOfMember(groupId, memberId));
      if (held !== null) rowsHeld[held].push(rowNumber);
    }
  const hold = async (error: typeof ALIKE, numbers: readonly number[]): Promise<number> => {
    const all = sql`select unnest(${numbers}::int[]) as row_number`;
    return numbers.length === 0 ? 0 : (await tx.query(addError(upload.id, error, all))).rowCount;
  };
  const held = (await hold(ALIKE, rowsHeld.alike)) + (await hold(CHANGED, rowsHeld.changed));
  await rememberReplaced(tx, upload, now);
  return held;
}

const memberGuess = (groupId: string, memberId: string, person: NormalizedDemographics): Guess => ({
  ...attemptOfMember(groupId, memberId, person),
  kind: OF_MEMBER,
  isShared: false,
});

/** The organization's programs. A facility lists its patients by a feed, or by entries, which are counted when they are made. */
const programsOf = (groupId: string): Sql => sql`(
  select o.id from groups g join groups o on o.organization_id = g.organization_id
  where g.id = ${groupId} and o.type = 'PROGRAM')`;

/** Condition: `r` is a row of the upload without errors. */
const isUsable = (uploadId: string): Sql => sql`r.upload_id = ${uploadId} and r.errors is null`;

/** Condition: `p` lists its patient, or did so in the last 30 days. */
const isRecent = (now: Date): Sql => sql`(p.left_at is null or p.left_at > ${rememberedSince(now)})`;

const sameMember = sql`p.member_id = r.member_id`;

const DETAILS_OF_ROW = sql`json_build_object('family', r.cells -> 'lastName', 'given', r.cells -> 'firstName',
  'middle', r.cells -> 'middleName', 'suffix', r.cells -> 'nameSuffix', 'birthDate', r.cells -> 'dateOfBirth', 'sex', r.cells -> 'gender',
  'line1', nullif(concat_ws(' ', r.cells ->> 'address1', r.cells ->> 'address2'), ''), 'city', r.cells -> 'city', 'state', r.cells -> 'state',
  'zip', r.cells -> 'zip', 'phones', json_build_array(r.cells -> 'homePhone', r.cells -> 'mobilePhone'),
  'ssnLast4', r.cells -> 'ssnLast4', 'medicareId', r.cells -> 'medicareId')`;
const DETAILS_OF_LISTING = sql`json_build_object('family', p.last_name, 'given', p.first_name, 'middle', p.middle_name, 'suffix', p.name_suffix,
  'birthDate', p.date_of_birth, 'sex', p.gender, 'line1', nullif(concat_ws(' ', p.address1, p.address2), ''), 'city', p.city, 'state', p.state,
  'zip', p.zip, 'phones', json_build_array(p.home_phone, p.mobile_phone), 'ssnLast4', p.ssn_last4, 'medicareId', p.medicare_id)`;

/** Condition: the row `r` says of who the patient is what its listing `p` says. Whatever else it changes, it can't be a guess. */
const isSamePerson = sql`(p.left_at is null and (
  p.content_hash is not distinct from r.content_hash or ${DETAILS_OF_ROW}::text = ${DETAILS_OF_LISTING}::text))`;

/** Of a row `r` whose listing is `p`. A row that leaves its listing as it is may have no cells. */
const DETAILS = sql`case when r.cells is null then ${DETAILS_OF_LISTING} else ${DETAILS_OF_ROW} end`;

async function count(tx: Queryable, { id, groupId }: Upload, now: Date) {
  const { rows } = await tx.query<{ records: number; rows: number; changes: number }>(sql`
    select count(*)::int as rows, count(*) filter (where p.id is null or not ${isSamePerson})::int as changes,
      count(*)::int + (
        select count(*)::int from roster_patients p where p.group_id in ${programsOf(groupId)} and ${isRecent(now)}) as records
    from roster_upload_rows r left join roster_patients p on p.group_id = ${groupId} and ${sameMember} where ${isUsable(id)}`);
  return rows[0] ?? { records: 0, rows: 0, changes: 0 };
}

async function sharedPhones(tx: Queryable, { id, groupId }: Upload): Promise<Set<string>> {
  const { rows } = await tx.query<{ phone: string }>(sql`
    select replace(phone, '-', '') as phone
    from roster_upload_rows r left join roster_patients p on r.cells is null and p.group_id = ${groupId} and ${sameMember}
      cross join lateral (values (coalesce(p.home_phone, r.cells ->> 'homePhone')), (coalesce(p.mobile_phone, r.cells ->> 'mobilePhone'))) as v (phone)
    where ${isUsable(id)} and phone is not null group by 1 having count(distinct r.row_number) > ${MOST_ON_A_PHONE}`);
  return new Set(rows.map(({ phone }) => phone));
}

/** Yields the rows of the upload about someone new, or with other details of who someone is. */
const changed = (tx: Queryable, { id, groupId }: Upload): AsyncGenerator<Changed> =>
  read<Changed>(
    tx,
    sql`
    select r.member_id as "memberId", ${groupId} as "groupId", ${DETAILS_OF_ROW} as person, 'file' as where, r.row_number as "rowNumber"
    from roster_upload_rows r left join roster_patients p on p.group_id = ${groupId} and ${sameMember}
    where ${isUsable(id)} and (p.id is null or not ${isSamePerson})`,
  );

/** Yields the rows of the upload, what the organization lists besides, and what it listed in the last 30 days. */
function everyone(tx: Queryable, { id, groupId }: Upload, now: Date): AsyncGenerator<Listed> {
  const inProgress = sql`(
    select id from roster_uploads
    where id <> ${id} and group_id in ${programsOf(groupId)} and status in ('VALIDATING', 'AWAITING_CONFIRMATION', 'APPLYING'))`;
  return read<Listed>(
    tx,
    sql`
    select r.member_id as "memberId", ${groupId} as "groupId", ${DETAILS} as person, 'file' as where
    from roster_upload_rows r left join roster_patients p on r.cells is null and p.group_id = ${groupId} and ${sameMember}
    where ${isUsable(id)}
    union all
    select r.member_id, u.group_id::text, ${DETAILS}, 'elsewhere'
    from roster_upload_rows r join roster_uploads u on u.id = r.upload_id
      left join roster_patients p on r.cells is null and p.group_id = u.group_id and ${sameMember}
    where u.id in ${inProgress} and r.errors is null
    union all
    select p.member_id, p.group_id::text, ${DETAILS_OF_LISTING},
      case when p.left_at is null and (p.group_id <> ${groupId} or r.errors is not null) then 'elsewhere' else 'gone' end
    from roster_patients p
      left join roster_upload_rows r on r.upload_id = ${id} and ${sameMember} and p.group_id = ${groupId}
    where p.group_id in ${programsOf(groupId)} and ${isRecent(now)} and (r.row_number is null or r.errors is not null or not ${isSamePerson})`,
  );
}

/** Yields what was remembered for the organization. */
async function* attempts(
  tx: Queryable,
  { groupId }: Upload,
  now: Date,
): AsyncGenerator<{ keys: number[]; guesses: number[] }> {
  const rows = read<{ keys: string[]; guesses: string[] }>(
    tx,
    sql`
    select a.keys::text[] as keys, a.guesses::text[] as guesses from identity_attempts a
    where a.at > ${rememberedSince(now)} and a.group_id in (
      select o.id from groups g join groups o on o.organization_id = g.organization_id where g.id = ${groupId})`,
  );
  for await (const { keys, guesses } of rows) yield { keys: keys.map(Number), guesses: guesses.map(Number) };
}

/** Remembers what rows that are not held replace: the listing will not show it any more. */
export async function rememberReplaced(tx: Queryable, { id, groupId }: Upload, now: Date): Promise<void> {
  const replaced = read<{ memberId: string; before: RosterDemographics; after: RosterDemographics }>(
    tx,
    sql`
    select r.member_id as "memberId", ${DETAILS_OF_LISTING} as before, ${DETAILS_OF_ROW} as after
    from roster_upload_rows r join roster_patients p on p.group_id = ${groupId} and ${sameMember}
    where ${isUsable(id)} and ${isRecent(now)} and not ${isSamePerson}`,
  );
  let batch: Guess[][] = [];
  for await (const { memberId, before, after } of replaced) {
    const of = (person: RosterDemographics): Guess[] => {
      const normalized = normalize(ofRoster(person));
      return [...guessesOf(normalized), memberGuess(groupId, memberId, normalized)];
    };
    const kept = new Set(of(after).map(({ key, value }) => `${key}|${value}`));
    const lost = of(before).filter(({ key, value }) => !kept.has(`${key}|${value}`));
    if (lost.length > 0) batch.push(lost);
    if (batch.length < FETCHED) continue;
    await remember(tx, groupId, batch, now);
    batch = [];
  }
  if (batch.length > 0) await remember(tx, groupId, batch, now);
}

const FETCHED = 2000;

/** Yields the rows of a statement a few thousand at a time. One statement at a time can be read. */
async function* read<R extends object>(tx: Queryable, statement: Sql): AsyncGenerator<R> {
  await tx.query(sql`declare everyone no scroll cursor for ${statement}`);
  const fetchNext = () => tx.query<R>(sql`fetch 2000 from everyone`);
  for (let next = fetchNext(); ; ) {
    const { rows } = await next;
    if (rows.length < FETCHED) {
      yield* inTurns(rows);
      break;
    }
    // While these are worked on. A failure is thrown when it is awaited.
    next = fetchNext();
    next.catch(() => {});
    yield* inTurns(rows);
  }
  await tx.query(sql`close everyone`);
}
