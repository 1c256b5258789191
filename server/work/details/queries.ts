import type { EventCode } from '#contract/event-codes.ts';
import type { GroupType } from '#contract/groups.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';

export interface EventRow {
  encounterId: string;
  code: EventCode;
  /** A day if the time of day is unknown. */
  date: string;
  facilityName: string;
}

interface StoredEvent extends Omit<EventRow, 'date'> {
  at: string;
  day: string;
  precision: 'day' | 'minute' | 'second';
}

const eventOf = ({ at, day, precision, ...event }: StoredEvent): EventRow => ({
  ...event,
  date: precision === 'day' ? day : at,
});

/** Returns the latest event of each of these encounters that the team may read. */
export async function latestEvents(tx: ActorTransaction, encounterIds: string[]): Promise<Map<string, EventRow>> {
  if (encounterIds.length === 0) return new Map();
  const { rows } = await tx.query<StoredEvent>(sql`
    select distinct on (e.id) e.id as "encounterId", v.code, v.event_at as at, v.event_day as day, v.event_precision as precision,
      g.name as "facilityName"
    from encounters e join events v on v.encounter_id = e.id join groups g on g.id = e.group_id
    where e.id = any (${encounterIds}::bigint[]) and v.state <> 'CANCELLED' and ${mayReadEncounter(tx.groupIds)}
    order by e.id, ${eventOrder(sql`v`)} desc, v.id desc`);
  return new Map(rows.map((row) => [row.encounterId, eventOf(row)]));
}

/** Events of which a hospital must send notice under the CMS condition of participation (42 CFR 482.24(d)). */
const NOTICES: readonly EventCode[] = ['PRESENTED', 'ADMIT', 'TRANSFER', 'DISCHARGE', 'DECEASED'];

/** Returns the latest such event of the person at a hospital, if the team may read it. */
export async function latestNotice(tx: ActorTransaction, personId: string): Promise<EventRow | null> {
  const { rows } = await tx.query<StoredEvent>(sql`
    select e.id as "encounterId", v.code, v.event_at as at, v.event_day as day, v.event_precision as precision, g.name as "facilityName"
    from encounters e join events v on v.encounter_id = e.id join groups g on g.id = e.group_id
    where e.person_id = ${personId} and g.facility_type = 'HOS' and v.state <> 'CANCELLED' and v.code = any (${NOTICES}::text[])
      and ${mayReadEncounter(tx.groupIds)}
    order by ${eventOrder(sql`v`)} desc, v.id desc limit 1`);
  return rows[0] ? eventOf(rows[0]) : null;
}

/** Whether one of the transaction's groups got a ping of this visit for the person, and may still read it. */
export async function gotPing(tx: ActorTransaction, personId: string, encounterId: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.encounter_id = ${encounterId} and p.group_id = any (${tx.groupIds}::bigint[]) and r.person_id = ${personId} and ${mayReadPing}
    limit 1`);
  return rowCount > 0;
}

export interface PhoneRow {
  groupId: string;
  groupName: string;
  groupType: GroupType;
  organizationId: string;
  phone: string;
  kind: 'HOME' | 'MOBILE' | 'OTHER';
  updatedAt: string | null;
}

/**
 * Returns a person's phone numbers: of the team's rosters, of other rosters that are shared with the team, and of facilities where the team may
 * read a visit (PID-13 and PID-14).
 */
export async function phonesOf(tx: ActorTransaction, personId: string): Promise<PhoneRow[]> {
  const { rows } = await tx.query<PhoneRow>(sql`
    select group_id as "groupId", group_name as "groupName", group_type as "groupType", organization_id as "organizationId", phone, kind,
      updated_at as "updatedAt"
    from phones_of(${personId})
    union all
    select g.id, g.name, g.type, g.organization_id, sent.phone, 'OTHER', s.demographics_at
    from source_patients s join groups g on g.id = s.group_id
      cross join lateral jsonb_array_elements_text(coalesce(s.demographics -> 'phones', '[]')) as sent (phone)
    where s.person_id = ${personId}
      and exists (select from encounters e where e.source_patient_id = s.id and ${mayReadEncounter(tx.groupIds)})`);
  return rows;
}

export interface LinkRow {
  groupId: string;
  groupName: string;
  outcome: 'matched' | 'review' | 'new' | 'merged' | 'decided' | 'undone';
  evidence: { fields?: Record<string, string> };
  date: string;
}

/** Returns why records of facilities that the actor administers are linked to the person. In a transaction for canManageUsers. */
export async function linksOf(tx: ActorTransaction, personId: string): Promise<LinkRow[]> {
  const { rows } = await tx.query<LinkRow>(sql`
    select group_id as "groupId", group_name as "groupName", outcome, evidence, created_at as date from links_of(${personId})`);
  return rows;
}
