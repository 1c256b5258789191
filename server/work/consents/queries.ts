import type { Consent, ConsentRecipient } from '#contract/consents.ts';
import { MOST_RECIPIENTS } from '#contract/consents.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** A Part 2 facility of the actor that lists the patient, with its oldest listing of the patient. */
export interface Part2Facility {
  id: string;
  name: string;
  timeZone: string;
  listingId: string;
}

/** Returns the transaction's groups that are 42 CFR Part 2 facilities and list the person, or did. */
export async function part2Facilities(tx: ActorTransaction, personId: string): Promise<Part2Facility[]> {
  const { rows } = await tx.query<Part2Facility>(sql`
    select distinct on (g.id) g.id, g.name, g.time_zone as "timeZone", r.id as "listingId"
    from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = ${personId} and r.group_id = any (${tx.groupIds}::bigint[]) and g.is_part2_facility
    order by g.id, r.id`);
  return rows;
}

/** Returns the groups whose name, or whose organization's name, has a word that begins with each word of the text. */
export async function findRecipients(tx: ActorTransaction, text: string): Promise<ConsentRecipient[]> {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const { rows } = await tx.query<ConsentRecipient>(sql`
    select g.id as "groupId", g.name as "groupName", o.name as "organizationName"
    from groups g join organizations o on o.id = g.organization_id
    where g.ended_at is null and not exists (
      select from unnest(${words}::text[]) as typed (word)
      where not starts_with(lower(g.name || ' ' || o.name), typed.word)
        and strpos(lower(g.name || ' ' || o.name), ' ' || typed.word) = 0)
    order by lower(g.name), lower(o.name), g.id limit ${MOST_RECIPIENTS}`);
  return rows;
}

/** Returns the recipient; undefined if no open group has this id. */
export async function recipientNamed(tx: Queryable, groupId: string): Promise<ConsentRecipient | undefined> {
  const { rows } = await tx.query<ConsentRecipient>(sql`
    select g.id as "groupId", g.name as "groupName", o.name as "organizationName"
    from groups g join organizations o on o.id = g.organization_id where g.id = ${groupId} and g.ended_at is null`);
  return rows[0];
}

/** Returns the person's consents at these facilities, those in force first, then the newest. */
export const consentsAt = (tx: Queryable, personId: string, facilityIds: readonly string[]): Promise<Consent[]> =>
  findConsents(tx, sql`c.person_id = ${personId} and c.facility_group_id = any (${facilityIds}::bigint[])`);

/** Returns one consent. */
export async function consentNamed(tx: Queryable, id: string): Promise<Consent | undefined> {
  return (await findConsents(tx, sql`c.id = ${id}`))[0];
}

async function findConsents(tx: Queryable, condition: Sql): Promise<Consent[]> {
  const { rows } = await tx.query<Consent>(sql`
    select c.id, jsonb_build_object('id', f.id::text, 'name', f.name) as facility,
      jsonb_build_object('groupId', g.id::text, 'groupName', g.name, 'organizationName', o.name) as recipient,
      c.given_at as "givenDate", name_of_user(c.recorded_by) as "recordedBy", c.expires_on::text as "expiresDate", c.ended_at as "endedDate",
      name_of_user(c.ended_by) as "endedBy"
    from consents c
      join groups f on f.id = c.facility_group_id
      join groups g on g.id = c.recipient_group_id join organizations o on o.id = g.organization_id
    where ${condition}
    order by c.ended_at is not null, coalesce(c.ended_at, c.given_at) desc, c.id desc`);
  return rows;
}

/** Returns the person's consent in force for the recipient. */
export async function consentInForce(
  tx: Queryable,
  of: { personId: string; facilityId: string; recipientId: string },
): Promise<{ id: string; expiresDate: string | null } | undefined> {
  const { rows } = await tx.query<{ id: string; expiresDate: string | null }>(sql`
    select id, expires_on::text as "expiresDate" from consents
    where person_id = ${of.personId} and facility_group_id = ${of.facilityId} and recipient_group_id = ${of.recipientId}
      and ended_at is null
    order by id limit 1`);
  return rows[0];
}
