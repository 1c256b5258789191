/**
 * Notices guesses. Whoever may list people could try the digits of a number until a row is linked, because the right ones open the
 * person's visits. So the details that were listed or entered are remembered for a while, as hashes (docs/decisions/0030).
 */
import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Near } from '#server/record/matching/near-persons.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { hashOf } from '#server/record/scoring/guess-hashes.ts';
import { detailsOf, guessesOf, MOST_GONE, nameKeys } from '#server/record/scoring/guess-keys.ts';

const REMEMBERED_FOR = 30 * DAY;
/** People whose names begin or end alike that an organization enters by hand within a day. */
const MOST_SIMILAR_NAMES = 25;

export const rememberedSince = (now: Date): Date => new Date(now.getTime() - REMEMBERED_FOR);

/** A hash of what stays, and a hash of what would be guessed. */
export interface Attempt {
  key: number;
  value: number;
}

export const keyOfMember = (groupId: string, memberId: string): number => hashOf(`member|${groupId}|${memberId}`);

/** The details that were last given for a record number: an attempt like any other, because its person may be changed step by step. */
export const attemptOfMember = (groupId: string, memberId: string, person: NormalizedDemographics): Attempt => ({
  key: keyOfMember(groupId, memberId),
  value: detailsOf(person),
});

/** An attempt of an entry, and how many other values its key may have had since then. */
interface Limited extends Attempt {
  most: number;
  since: Date;
}

/** Someone who is entered by hand, and whom the entry comes near to (`personsNear`). */
export interface Entry {
  groupId: string;
  recordNumber: string;
  person: NormalizedDemographics;
  near: readonly Near[];
}

function attemptsOfEntry({ groupId, recordNumber, person, near }: Entry, now: Date): Limited[] {
  const yesterday = new Date(now.getTime() - DAY);
  const value = detailsOf(person);
  const { exact, rough } = nameKeys(person);
  const since = rememberedSince(now);
  return [
    { ...attemptOfMember(groupId, recordNumber, person), most: MOST_GONE, since },
    ...exact.map((key) => ({ key, value, most: MOST_GONE, since: yesterday })),
    // Another key than an exact name's, which may consist of the same letters.
    ...rough.map((key) => ({ key: -key, value, most: MOST_SIMILAR_NAMES, since: yesterday })),
    ...near.map(({ personId, field }) => ({
      key: hashOf(`near|${field}|${personId}`),
      value: hashOf(person[field] ?? ''),
      most: MOST_GONE,
      since: yesterday,
    })),
    ...guessesOf(person).map(({ key, value, kind }) => ({ key, value, most: Math.max(kind.most, MOST_GONE), since })),
  ];
}

/**
 * Remembers a manual entry and returns true; or returns false, and remembers nothing, if the group's organization has by now entered a person
 * of this name, or near to this person, or with this number, with too many different details. Record numbers count for the group alone, because each facility has its
 * own. Entries of an organization take turns until the transaction ends.
 */
export async function noteEntry(db: Queryable, entry: Entry, now: Date): Promise<boolean> {
  const attempts = attemptsOfEntry(entry, now);
  const { groupId } = entry;
  const organization = sql`(select organization_id from groups where id = ${groupId})`;
  await db.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashint8(${organization}))`);
  const keys = attempts.map(({ key }) => key);
  const { rows } = await db.query(sql`
    with given as (
      select * from unnest(${keys}::bigint[], ${attempts.map(({ value }) => value)}::bigint[], ${attempts.map(({ most }) => most)}::int[],
        ${attempts.map(({ since }) => since)}::timestamptz[]) as g (key, value, most, since)),
    past as (
      select a.at, p.key, p.value from identity_attempts a cross join lateral unnest(a.keys, a.guesses) as p (key, value)
      where a.group_id in (select id from groups where organization_id = ${organization}) and a.keys && ${keys}::bigint[])
    select from given join past on past.key = given.key and past.at > given.since
    group by given.key, given.most
    having count(distinct past.value) >= given.most and not bool_or(past.value = given.value)`);
  if (rows.length > 0) return false;
  await remember(db, groupId, [attempts], now);
  return true;
}

/** Remembers the attempts of each of several records. */
export async function remember(
  db: Queryable,
  groupId: string,
  records: readonly (readonly Attempt[])[],
  now: Date,
): Promise<void> {
  const array = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;
  await db.query(sql`
    insert into identity_attempts (group_id, keys, guesses, at)
    select ${groupId}, keys::bigint[], guesses::bigint[], ${now}
    from unnest(${records.map((attempts) => array(attempts.map(({ key }) => key)))}::text[],
      ${records.map((attempts) => array(attempts.map(({ value }) => value)))}::text[]) as r (keys, guesses)`);
}

const LOCK_SPACE = 7_463_204;

/** Deletes what no rule looks at any more. A daily job. */
export const forgetAttempts = (db: Queryable, now: Date) =>
  db.query(sql`delete from identity_attempts where at <= ${rememberedSince(now)}`);
