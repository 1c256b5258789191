/**
 * Notices guesses. Whoever may list people could try the digits of a number until a row is linked, because the right ones open the
 * person's visits. So each change of a person's identifying details is remembered for a while, as hashes (docs/decisions/0030).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';

/** How many changes of a person's details a group may make within this many days, and different manual entries within a day. */
export const MOST_CHANGES = 3;
export const CHANGES_WITHIN = sql`interval '30 days'`;
const ENTRIES_WITHIN = sql`interval '24 hours'`;

/** What a row or an entry says about a person, as SQL. Names are sort keys. */
export interface IdentityColumns {
  memberId: Sql;
  sortFirst: Sql;
  sortLast: Sql;
  dateOfBirth: Sql;
  ssnLast4: Sql;
  medicareId: Sql;
  zip: Sql;
  homePhone: Sql;
  mobilePhone: Sql;
}

const hash = (kind: string, parts: readonly Sql[]): Sql =>
  // Null if a part is missing, so that people without a number have no key in common.
  sql`sha256(convert_to(${kind}::text || '|' || ${joined(parts)}, 'UTF8'))`;
const joined = (parts: readonly Sql[]): Sql => parts.reduce((all, part) => sql`${all} || '|' || ${part}`);

const nameOf = ({ sortFirst, sortLast }: IdentityColumns): Sql[] => [
  sql`replace(${sortFirst}, ' ', '')`,
  sql`replace(${sortLast}, ' ', '')`,
];

/** What stays the same while someone guesses the rest: each is a hash, or null where the row lacks a part of it. */
export const keysOf = (of: IdentityColumns) => ({
  member: hash('member', [of.memberId]),
  nameAndBirthDate: hash('name and birth date', [...nameOf(of), sql`${of.dateOfBirth}::text`]),
  nameAndSsn: hash('name and ssn', [...nameOf(of), of.ssnLast4]),
  medicareId: hash('medicare id', [of.medicareId]),
  nameAndZip: hash('name and zip', [...nameOf(of), of.zip]),
});

/** For manual entries only: a roster may list many namesakes. */
const nameKey = (of: IdentityColumns): Sql => hash('name', nameOf(of));

/** The details that a guess varies, hashed. */
export const detailsOf = (of: IdentityColumns): Sql =>
  sql`sha256(convert_to(concat_ws('|', ${join([...nameOf(of), sql`${of.dateOfBirth}::text`, ...varied(of)], ', ')}), 'UTF8'))`;

const varied = ({ ssnLast4, medicareId, zip, homePhone, mobilePhone }: IdentityColumns): Sql[] =>
  [ssnLast4, medicareId, zip, homePhone, mobilePhone].map((column) => sql`coalesce(${column}, '')`);

/** Condition: two rows differ in the details that a guess varies. */
export const differs = (one: IdentityColumns, other: IdentityColumns): Sql =>
  sql`(${join([one.dateOfBirth, ...varied(one)], ', ')}) is distinct from (${join([other.dateOfBirth, ...varied(other)], ', ')})`;

/** What someone enters by hand about a person. Names are sort keys; `birthDate`: YYYY-MM-DD. */
export interface EnteredIdentity {
  recordNumber: string;
  sortFirst: string;
  sortLast: string;
  birthDate: string;
  ssnLast4: string | null;
  medicareId: string | null;
  zip: string | null;
  homePhone: string | null;
}

/**
 * Remembers a manual entry and returns true; or returns false, and remembers nothing, if the group's organization has by now entered a person
 * of this name, or with this number, with too many different details. Record numbers count for the group alone, because each facility has its
 * own. Entries of an organization take turns until the transaction ends.
 */
export async function noteEntry(db: Queryable, groupId: string, given: EnteredIdentity, now: Date): Promise<boolean> {
  const text = (value: string | null): Sql => sql`${value}::text`;
  const identity: IdentityColumns = {
    memberId: text(given.recordNumber),
    sortFirst: text(given.sortFirst),
    sortLast: text(given.sortLast),
    dateOfBirth: sql`${given.birthDate}::date`,
    ssnLast4: text(given.ssnLast4),
    medicareId: text(given.medicareId),
    zip: text(given.zip),
    homePhone: text(given.homePhone),
    mobilePhone: text(null),
  };
  const { member, ...alike } = keysOf(identity);
  const organization = sql`(select organization_id from groups where id = ${groupId})`;
  await db.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashint8(${organization}))`);
  const { rows } = await db.query<{ isHeld: boolean }>(sql`
    with entry as (select ${detailsOf(identity)} as details),
    keys (key, since, groups) as (
      select ${member}, ${now}::timestamptz - ${CHANGES_WITHIN}, array[${groupId}::bigint]
      union all select k, ${now}::timestamptz - ${ENTRIES_WITHIN}, array(select id from groups where organization_id = ${organization}) from unnest(array[${join([nameKey(identity), ...Object.values(alike)], ', ')}]) as k),
    seen as (
      select keys.key, count(distinct a.details) as entries, coalesce(bool_or(a.details = entry.details), false) as is_known
      from keys cross join entry
        left join identity_attempts a on a.group_id = any (keys.groups) and a.key = keys.key and a.at > keys.since
      where keys.key is not null group by keys.key),
    held as (select exists (select from seen where entries >= ${MOST_CHANGES} and not is_known) as is_held),
    noted as (
      insert into identity_attempts (group_id, key, details, at)
      select ${groupId}, seen.key, entry.details, ${now} from seen cross join entry cross join held where not held.is_held)
    select is_held as "isHeld" from held`);
  return rows[0]?.isHeld === false;
}

const LOCK_SPACE = 7_463_204;

/** Deletes what no rule looks at any more. A daily job. */
export const forgetAttempts = (db: Queryable, now: Date) =>
  db.query(sql`delete from identity_attempts where at <= ${now}::timestamptz - ${CHANGES_WITHIN}`);
