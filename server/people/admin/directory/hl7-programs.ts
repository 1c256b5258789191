/** The HL7-based programs of an organization (docs/decisions/0095). Errors when adding or changing one: NAME_TAKEN, BAD_REQUEST. */
import { type AdminProgram, type FacilityOption, MOST_PROGRAMS, type ProgramFields } from '#contract/hl7-programs.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { badField } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, readAsAdmin, rejectDuplicate } from '../administer.ts';
import { oneRow } from './one-row.ts';

const programs = (organizationId: string, where: Sql): Sql => sql`
  select p.id, p.name as "hl7BasedProgramName", p.admitting_facility_id as "admittingFacilityId",
    (select g.name from groups g where g.id = p.admitting_facility_id) as "admittingFacilityName",
    p.admitting_facility_type as "admittingFacilityType",
    case when p.diagnosis_codes is not null
      then jsonb_build_object('codes', p.diagnosis_codes, 'principalOnly', p.principal_only) end as "diagnosesDefinition",
    p.drg_codes as "drgCodes", p.payer, p.discharge_setting as "dischargeSetting", p.discharged_to as "dischargedTo",
    p.validity_days as "validityPeriod",
    ${versionOf(sql`p.name, p.admitting_facility_id, p.admitting_facility_type, p.diagnosis_codes, p.principal_only, p.drg_codes,
      p.payer, p.discharge_setting, p.discharged_to, p.validity_days`)} as version
  from hl7_programs p
  where p.organization_id = ${organizationId} and p.ended_at is null and ${where}
  order by p.name, p.id`;

/** Returns the programs of the administrator's organization. */
export const listPrograms = (db: Database, actor: Actor): Promise<AdminProgram[]> =>
  readAsAdmin(
    db,
    actor,
    async (tx, { organizationId }) => (await tx.query<AdminProgram>(programs(organizationId, sql`true`))).rows,
  );

const checkAll = ({ tx, scope }: Change): Promise<void> =>
  checkCoversAll(tx, scope, 'Only an administrator who manages every group of the organization can change programs.');

/** Errors also: NOT_PERMITTED. */
export function addProgram(
  { db }: Pick<AdminDeps, 'db'>,
  call: ActorCall,
  wanted: ProgramFields,
): Promise<AdminProgram> {
  return administer(db, call, async (change) => {
    await checkAll(change);
    const { tx, scope, audit } = change;
    const { organizationId } = scope;
    const fields = await checked(tx, wanted);
    const { rows } = await tx.query<{ count: number }>(
      sql`select count(*)::int as count from hl7_programs where organization_id = ${organizationId} and ended_at is null`,
    );
    if ((rows[0]?.count ?? 0) >= MOST_PROGRAMS)
      throw badField('hl7BasedProgramName', `There are ${MOST_PROGRAMS} programs already. Remove one first.`);
    const { id } = await rejectDuplicate(
      'NAME_TAKEN',
      oneRow<{ id: string }>(
        tx,
        sql`insert into hl7_programs (organization_id, name, admitting_facility_id, admitting_facility_type, diagnosis_codes, principal_only,
            drg_codes, payer, discharge_setting, discharged_to, validity_days)
          values (${organizationId}, ${fields.hl7BasedProgramName}, ${fields.admittingFacilityId}, ${fields.admittingFacilityType},
            ${fields.diagnosesDefinition?.codes ?? null}::text[], ${fields.diagnosesDefinition?.principalOnly ?? false},
            ${fields.drgCodes}::text[], ${fields.payer}, ${fields.dischargeSetting}, ${fields.dischargedTo}, ${fields.validityPeriod})
          returning id`,
      ),
    );
    await audit({ action: 'hl7-program.add', subject: 'hl7-program', subjectId: id, detail: { program: fields } });
    return oneRow(tx, programs(organizationId, sql`p.id = ${id}`));
  });
}

/** Errors also: NOT_FOUND, NOT_PERMITTED, and CHANGED_BY_OTHER if `version` is given and out of date. */
export function changeProgram(
  { db }: Pick<AdminDeps, 'db'>,
  call: ActorCall,
  id: string,
  { version, ...wanted }: ProgramFields & { version?: string | undefined },
): Promise<AdminProgram> {
  return administer(db, call, async (change) => {
    await checkAll(change);
    const { tx, scope, audit } = change;
    const find = () => oneRow<AdminProgram>(tx, programs(scope.organizationId, sql`p.id = ${id}`));
    const before = await find();
    await checkVersion(tx, { subject: 'hl7-program', id, current: before, read: version });
    const fields = await checked(tx, wanted);
    await rejectDuplicate(
      'NAME_TAKEN',
      tx.query(sql`
        update hl7_programs set name = ${fields.hl7BasedProgramName}, admitting_facility_id = ${fields.admittingFacilityId},
          admitting_facility_type = ${fields.admittingFacilityType}, diagnosis_codes = ${fields.diagnosesDefinition?.codes ?? null}::text[],
          principal_only = ${fields.diagnosesDefinition?.principalOnly ?? false}, drg_codes = ${fields.drgCodes}::text[],
          payer = ${fields.payer}, discharge_setting = ${fields.dischargeSetting}, discharged_to = ${fields.dischargedTo},
          validity_days = ${fields.validityPeriod}
        where id = ${id}`),
    );
    const after = await find();
    const changes = changedValues(before, after, FIELDS);
    if (Object.keys(changes).length > 0)
      await audit({ action: 'hl7-program.change', subject: 'hl7-program', subjectId: id, detail: { changes } });
    return after;
  });
}

const FIELDS = [
  'hl7BasedProgramName',
  'admittingFacilityName',
  'admittingFacilityType',
  'diagnosesDefinition',
  'drgCodes',
  'payer',
  'dischargeSetting',
  'dischargedTo',
  'validityPeriod',
] as const;

/** Ends a program, and with it all its enrollments; its row stays (docs/decisions/0021). Errors: NOT_FOUND, NOT_PERMITTED. */
export function endProgram({ db }: Pick<AdminDeps, 'db'>, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async (change) => {
    await checkAll(change);
    const { tx, scope, now, audit } = change;
    await oneRow(tx, programs(scope.organizationId, sql`p.id = ${id}`));
    await tx.query(sql`update hl7_programs set ended_at = ${now} where id = ${id}`);
    await audit({ action: 'hl7-program.end', subject: 'hl7-program', subjectId: id });
  });
}

/** Returns the fields with each code once, and in order. Throws BAD_REQUEST if the facility is none. */
async function checked(tx: Queryable, wanted: ProgramFields): Promise<ProgramFields> {
  const { admittingFacilityId, diagnosesDefinition, drgCodes } = wanted;
  if (admittingFacilityId !== null) {
    const { rowCount } = await tx.query(
      sql`select from groups where id = ${admittingFacilityId} and type <> 'PROGRAM'`,
    );
    if (rowCount === 0) throw badField('admittingFacilityId', 'This facility no longer exists. Choose another one.');
  }
  return {
    ...wanted,
    diagnosesDefinition: diagnosesDefinition && {
      ...diagnosesDefinition,
      codes: [...new Set(diagnosesDefinition.codes)].sort(),
    },
    drgCodes: [...new Set(drgCodes)].sort(),
  };
}

/** Returns up to 20 facilities of any organization with a word in their name that begins with `query`. Their names are public, as in a directory. */
export async function findFacilities(db: Database, actor: Actor, query: string): Promise<FacilityOption[]> {
  const beginning = `${query.replace(/[\\%_]/g, '\\$&')}%`;
  return readAsAdmin(db, actor, async (tx) => {
    const { rows } = await tx.query<FacilityOption>(sql`
      select g.id, g.name, g.facility_type as "facilityType", g.state from groups g
      where g.type <> 'PROGRAM' and g.ended_at is null and (g.name ilike ${beginning} or g.name ilike ${`% ${beginning}`})
      order by g.name, g.id limit 20`);
    return rows;
  });
}
