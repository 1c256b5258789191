/** Sends a generated system's messages through the real intake, and reads what the product made of them in the words of the truth. */

import type { TestDatabase } from '../database.ts';
import type { Factories } from '../factories.ts';
import type { Hospital } from '../hospital.ts';
import type { GeneratedSystem } from './health-system.ts';
import { GROUP_OF } from './system.ts';
import type { Truth } from './truth.ts';

/** What `Truth` has, from the database. */
export type Found = Pick<Truth, 'visits' | 'events' | 'patients' | 'records' | 'pings'>;

export interface Installed {
  generated: GeneratedSystem;
  receive: (messages: readonly string[]) => Promise<void>;
  found: () => Promise<Found>;
  /** Returns why messages were not processed. */
  notProcessed: () => Promise<string[]>;
}

const VISITS = `
select e.group_id as "groupId", coalesce(e.visit_number, e.state #>> '{accountNumbers,0}', '-') as number, e.status, e.setting,
  to_char(e.admitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as admitted,
  to_char(e.discharged_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as discharged,
  replace(s.record_number, ' ', '') as record, s.demographics #>> '{name,family}' as family, s.demographics ->> 'birthDate' as "birthDate",
  case when s.deceased then 'dead' else 'alive' end as life,
  coalesce((select jsonb_agg(jsonb_build_array(v.code, to_char(v.event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')))
    from events v where v.encounter_id = e.id and v.state <> 'CANCELLED'), '[]') as events
from encounters e join source_patients s on s.id = e.source_patient_id
where e.group_id = any ($1) and e.status <> 'CANCELLED' and exists (select from facts f where f.encounter_id = e.id)`;

interface VisitRow {
  groupId: string;
  number: string;
  status: string;
  setting: string;
  admitted: string | null;
  discharged: string | null;
  record: string;
  family: string;
  birthDate: string | null;
  life: string;
  events: [code: string, at: string][];
}

const RECORDS = `
select group_id as "groupId", record_number as record from source_patients where group_id = any ($1)`;

const PINGS = `
select p.group_id as "programId", e.group_id as "groupId", coalesce(e.visit_number, e.state #>> '{accountNumbers,0}', '-') as number, v.code,
  to_char(v.event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as at
from pings p join events v on v.id = p.event_id join encounters e on e.id = v.encounter_id join groups g on g.id = p.group_id
where e.group_id = any ($1) and p.state <> 'CANCELLED' and g.type = 'PROGRAM'`;

interface PingRow {
  programId: string;
  groupId: string;
  number: string;
  code: string;
  at: string;
}

/** Whether it is the record of a death outside any visit. */
const isDeathOnly = ({ admitted, status, events }: VisitRow): boolean =>
  admitted === null && status !== 'PLANNED' && events.every(([code]) => code === 'DECEASED');

const visitLine = (code: string, { number, status, setting, admitted, discharged, record }: VisitRow): string =>
  `${code} ${number} ${status} ${setting} ${admitted ?? '-'} ${discharged ?? '-'} ${record}`;

/** Adds a system's feed and facilities, and the programs that list its patients. */
export async function install(
  { pipeline }: TestDatabase,
  make: Factories,
  hosp: Hospital,
  generated: GeneratedSystem,
): Promise<Installed> {
  const { system, persons } = generated;
  const { id: organizationId } = await make.organization();
  const codeOf = new Map<string, string>();
  let feedId: string | undefined;
  for (const { code, kind } of system.facilities) {
    const group = await make.group({ organizationId, ...GROUP_OF[kind] });
    codeOf.set(group.id, code);
    if (feedId) await make.feedFacility({ feedId, groupId: group.id, identifier: code });
    else feedId = (await make.feed({ group, application: system.name, identifier: code })).id;
  }
  const programOf = new Map<string, string>();
  for (const person of persons) {
    if (person.program === null) continue;
    const { id } = await make.group();
    programOf.set(id, person.program);
    await hosp.list(id, person);
  }

  async function found(): Promise<Found> {
    const groups = [[...codeOf.keys()]];
    const visits = (await pipeline.query<VisitRow>(VISITS, groups)).rows;
    const pings = (await pipeline.query<PingRow>(PINGS, groups)).rows;
    const records = (await pipeline.query<{ groupId: string; record: string }>(RECORDS, groups)).rows;
    const code = ({ groupId }: { groupId: string }) => codeOf.get(groupId) ?? '';
    const stays = visits.filter((visit) => !isDeathOnly(visit));
    return {
      visits: stays.map((visit) => visitLine(code(visit), visit)),
      events: visits.flatMap((visit) =>
        visit.events.map(([event, at]) => `${code(visit)} ${visit.number} ${event} ${at}`),
      ),
      patients: [
        ...new Set(
          stays.map((each) => `${code(each)} ${each.record} ${each.family} ${each.birthDate ?? '-'} ${each.life}`),
        ),
      ],
      // Without what tells several patients of a number apart, such as (patient 2).
      records: records.map((each) => `${code(each)} ${each.record.replace(/ .*/, '')}`),
      pings: pings.map(
        (ping) => `${programOf.get(ping.programId) ?? 'another'} ${code(ping)} ${ping.number} ${ping.code} ${ping.at}`,
      ),
    };
  }

  async function notProcessed(): Promise<string[]> {
    const { rows } = await pipeline.query<{ text: string }>(
      `select control_id || ': ' || status || ' ' || coalesce(reason, '') as text from messages
       where sending_application = $1 and status not in ('APPLIED', 'DUPLICATE')`,
      [system.name],
    );
    return rows.map(({ text }) => text);
  }

  return {
    generated,
    receive: async (messages) => {
      await hosp.receive(...messages);
    },
    found,
    notProcessed,
  };
}
