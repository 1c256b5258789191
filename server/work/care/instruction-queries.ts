import type { CareInstruction, INSTRUCTION_KINDS } from '#contract/care.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { currentCareOf, type OwnListing } from './queries.ts';

export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** An instruction, with what the API answers in two lists instead. */
export interface InstructionRow extends CareInstruction {
  kind: InstructionKind;
  rosterPatientId: string;
}

/** Returns a person's instructions: those of the transaction's groups first, then by group, each in its order. */
export const instructionsOf = (tx: ActorTransaction, personId: string): Promise<InstructionRow[]> =>
  instructionRows(tx, currentCareOf(personId));

/** Returns the instruction, if it is a current one about the person. */
export async function instructionOf(
  tx: ActorTransaction,
  personId: string,
  instructionId: string,
): Promise<InstructionRow | undefined> {
  const [row] = await instructionRows(tx, sql`c.id = ${instructionId} and ${currentCareOf(personId)}`);
  return row;
}

async function instructionRows(tx: ActorTransaction, condition: Sql): Promise<InstructionRow[]> {
  const { rows } = await tx.query<InstructionRow>(sql`
    select c.id, c.kind, c.roster_patient_id as "rosterPatientId", c.instruction, c.group_id as "groupId",
      c.instruction_order as "instructionOrder", g.name as "groupName", o.name as "organizationName",
      case when f.id is not null then json_build_object('documentKey', f.id::text, 'fileName', f.file_name,
        'contentType', f.content_type, 'size', f.size) end as form,
      c.modified_at as "modifiedAt", c.version::text, c.group_id = any (${tx.actor.groupsWith('canEditCarePlans')}::bigint[]) as editable
    from care_instructions c join groups g on g.id = c.group_id join organizations o on o.id = g.organization_id
      left join care_files f on f.instruction_id = c.id
    where ${condition}
    order by c.group_id = any (${tx.groupIds}::bigint[]) desc, g.name, c.group_id, c.instruction_order, c.id`);
  return rows;
}

/** Adds an instruction at this place, and returns its id. */
export async function insertInstruction(
  tx: ActorTransaction,
  { id, groupId }: OwnListing,
  { kind, instruction, order }: { kind: InstructionKind; instruction: string; order: number },
  now: Date,
): Promise<string> {
  const { userId } = tx.actor;
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into care_instructions (roster_patient_id, group_id, kind, instruction, instruction_order, created_at, created_by, modified_at, modified_by)
    values (${id}, ${groupId}, ${kind}, ${instruction}, ${order}, ${now}, ${userId}, ${now}, ${userId})
    returning id`);
  return rows[0]?.id ?? '';
}

/** Returns the ids of a listing's current instructions of a kind, in order. */
export async function orderOf(tx: ActorTransaction, listingId: string, kind: InstructionKind): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select id from care_instructions where roster_patient_id = ${listingId} and kind = ${kind} and ended_at is null
    order by instruction_order, id`);
  return rows.map(({ id }) => id);
}

/** Numbers the instructions in the order of the ids. */
export async function writeOrder(tx: ActorTransaction, ids: string[]): Promise<void> {
  await tx.query(sql`
    update care_instructions c set instruction_order = wanted.place
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    where c.id = wanted.id and c.instruction_order <> wanted.place`);
}

export async function updateInstruction(tx: ActorTransaction, id: string, text: string, now: Date): Promise<void> {
  await tx.query(sql`
    update care_instructions set instruction = ${text}, version = version + 1, modified_at = ${now}, modified_by = ${tx.actor.userId}
    where id = ${id} and group_id = any (${tx.groupIds}::bigint[])`);
}

export async function endInstructionRow(tx: ActorTransaction, id: string, now: Date): Promise<void> {
  await tx.query(sql`
    update care_instructions set ended_at = ${now}, version = version + 1, modified_at = ${now}, modified_by = ${tx.actor.userId}
    where id = ${id} and group_id = any (${tx.groupIds}::bigint[])`);
}
