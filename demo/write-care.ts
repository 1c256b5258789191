import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { formPdf } from './world/form-pdf.ts';

/** A person who looks after every so-manieth patient of a list. */
interface Contact {
  group: string;
  user: string;
  every: number;
  program: string | null;
  name: string;
  title: string;
  phone: string | null;
  email: string | null;
  fax: string | null;
  /** The care plan. */
  content: string | null;
  isFirst?: boolean;
}

const REACH = 'ACO REACH';

/** Invented people, with the gaps that real lists have: no fax, no email, no plan. */
const CONTACTS: readonly Contact[] = [
  {
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    every: 3,
    program: REACH,
    name: 'Marisol Etchegaray, RN',
    title: 'Nurse care manager',
    phone: '906-555-0151',
    email: 'm.etchegaray@lakeshore.example',
    fax: '906-555-0152',
    content:
      'Goals: no hospital stay for heart failure in 6 months; walks to the mailbox daily.\nWeigh every morning. Call us if up 3 lb in a day or 5 lb in a week.\nMedication review at each discharge. Next plan review in 90 days.',
    isFirst: true,
  },
  {
    group: 'lakeshore-aco',
    user: 'desmond.achterberg',
    every: 4,
    program: REACH,
    name: 'Tobias Lindqvist, LMSW',
    title: 'Social worker',
    phone: '906-555-0153',
    email: null,
    fax: null,
    content: null,
  },
  {
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    every: 6,
    program: 'Palliative home visits',
    name: 'Anneke Boateng, NP',
    title: 'Nurse practitioner',
    phone: null,
    email: 'a.boateng@lakeshore.example',
    fax: '906-555-0155',
    content: 'Comfort first. Call before sending to the emergency department; on-call nurse answers day and night.',
  },
  {
    group: 'pines-plan',
    user: 'ansel.okoro',
    every: 4,
    program: 'Complex case management',
    name: 'Rashida Sandoval, RN',
    title: "Health plan's case manager",
    phone: '517-555-0161',
    email: 'r.sandoval@northernpines.example',
    fax: null,
    content: 'Authorization for home oxygen renewed until the end of the quarter.',
    isFirst: true,
  },
  {
    group: 'oak-hollow',
    user: 'walt.kimura',
    every: 2,
    program: null,
    name: 'Perpetua Vance',
    title: 'Unit manager, East wing',
    phone: '231-555-0171',
    email: null,
    fax: '231-555-0172',
    content: null,
    isFirst: true,
  },
];

interface Instruction {
  group: string;
  user: string;
  every: number;
  kind: 'ADMIT' | 'DISCHARGE';
  order: number;
  text: string;
  form?: { name: string; lines: readonly string[] };
}

const INSTRUCTIONS: readonly Instruction[] = [
  {
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    every: 3,
    kind: 'ADMIT',
    order: 1,
    text: 'Call the nurse care manager within 2 hours of admission. She has the medication list.',
  },
  {
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    every: 3,
    kind: 'ADMIT',
    order: 2,
    text: 'Before surgery, ask for the anticoagulation plan.',
    form: {
      name: 'Anticoagulation plan.pdf',
      lines: ['Lakeshore ACO: anticoagulation', 'Medication and last dose:', 'Indication:', 'Bridge before surgery:'],
    },
  },
  {
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    every: 3,
    kind: 'DISCHARGE',
    order: 1,
    text: 'Fax the completed transition form on the day of discharge.',
    form: {
      name: 'Transition of care form.pdf',
      lines: [
        'Lakeshore ACO: transition of care',
        'Discharge date:',
        'New and stopped medications:',
        'Pending results:',
      ],
    },
  },
  {
    group: 'pines-plan',
    user: 'ansel.okoro',
    every: 4,
    kind: 'DISCHARGE',
    order: 1,
    text: 'Skilled nursing stays need our authorization: 517-555-0160, also on weekends.',
  },
];

/** Writes care-team records with their care plans, and care instructions with a form, for parts of the demo's lists. */
export async function writeCare(db: Queryable, directory: DemoDirectory, now: Date): Promise<void> {
  const keysOf = ({ group, user }: { group: string; user: string }) => ({
    groupId: idOf(directory.groups, group),
    userId: idOf(directory.users, user),
  });
  for (const contact of CONTACTS) {
    const { groupId, userId } = keysOf(contact);
    const { program, name, title, phone, email, fax, content, every, isFirst = false } = contact;
    await db.query(sql`
      insert into care_team_records (roster_patient_id, group_id, program, contact_name, contact_job_title, contact_phone, contact_email,
        contact_fax, content, is_called_first, created_at, created_by, modified_at, modified_by)
      select listed.id, ${groupId}, ${program}, ${name}, ${title}, ${phone}, ${email}, ${fax}, ${content}, ${isFirst}, ${now}, ${userId},
        ${now}, ${userId}
      from (${listedBy(groupId)}) listed where listed.position % ${every}::int = 0`);
  }
  for (const instruction of INSTRUCTIONS) {
    const { groupId, userId } = keysOf(instruction);
    const { kind, text, order, every, form } = instruction;
    const bytes = form && formPdf(form.lines);
    await db.query(sql`
      with written as (
        insert into care_instructions (roster_patient_id, group_id, kind, instruction, instruction_order, created_at, created_by,
          modified_at, modified_by)
        select listed.id, ${groupId}, ${kind}, ${text}, ${order}, ${now}, ${userId}, ${now}, ${userId}
        from (${listedBy(groupId)}) listed where listed.position % ${every}::int = 0
        returning id),
      files as (
        insert into care_files (instruction_id, file_name, content_type, size, uploaded_at, uploaded_by)
        select id, ${form?.name}, 'application/pdf', ${bytes?.length ?? 0}, ${now}, ${userId} from written where ${form !== undefined}
        returning id)
      insert into care_file_chunks (file_id, position, bytes) select id, 0, ${bytes ?? null} from files`);
  }
}

const listedBy = (groupId: string) => sql`
  select r.id, row_number() over (order by r.id) as position from roster_patients r
  where r.group_id = ${groupId} and r.left_at is null`;
