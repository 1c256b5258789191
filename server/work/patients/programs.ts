/** HL7-based programs: the definitions of the acting team's organization, and the enrollments as patients' pages show them. */
import type { Cohort } from '#contract/cohorts.ts';
import type { ProgramDefinition, ProgramEnrollment, ProgramOfMessages } from '#contract/hl7-programs.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { payerName } from '#server/record/fold/visit-state.ts';
import { type Enrollment, enrollments, type Program, type ProgramStay } from '#server/record/rules/hl7-programs.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';
import { derivedId } from './derived-id.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

/** The columns of `hl7_programs p` as a `Program`, in one JSON object. */
const PROGRAM: Sql = sql`json_build_object('id', p.id::text, 'organizationId', p.organization_id::text, 'name', p.name,
  'admittingFacilityId', p.admitting_facility_id::text,
  'admittingFacilityName', (select facility.name from groups facility where facility.id = p.admitting_facility_id),
  'admittingFacilityType', p.admitting_facility_type,
  'diagnosesDefinition', case when p.diagnosis_codes is not null
    then json_build_object('codes', p.diagnosis_codes, 'principalOnly', p.principal_only) end,
  'drgCodes', p.drg_codes, 'payer', p.payer, 'dischargeSetting', p.discharge_setting, 'dischargedTo', p.discharged_to,
  'validityPeriod', p.validity_days)`;

/** The programs of an organization in an array; null if it has none. */
export const programsOf = (organizationId: Sql): Sql => sql`
  select json_agg(${PROGRAM} order by p.name, p.id) from hl7_programs p
  where p.organization_id = ${organizationId} and p.ended_at is null`;

/** Returns a visit as programs see it. */
export function programStayOf({ state }: Pick<VisitRow, 'state'>, visit: RuleVisit, timeZone: string): ProgramStay {
  return {
    visit,
    dischargedOn: state.dischargedAt?.localDate ?? null,
    timeZone,
    drg: state.drg ?? null,
    payer: state.payers[0] ?? null,
  };
}

/** Returns the programs that a person is in now. `counted`: the visits as the rules see them, in the same order. */
export function enrollmentsOf(
  counted: readonly RuleVisit[],
  { visits, facilities, rules: { programs }, died, now }: OfPerson,
): readonly Enrollment[] {
  if (programs.length === 0) return [];
  const stays = visits.map((visit, n) => {
    const { timeZone } = facilities.get(visit.groupId) as FacilityRow;
    return programStayOf(visit, counted[n] as RuleVisit, timeZone);
  });
  return enrollments(stays, programs, { now: now.getTime(), hasDied: died !== null }).now;
}

interface OfPerson {
  visits: readonly VisitRow[];
  facilities: ReadonlyMap<string, FacilityRow>;
  rules: { programs: readonly Program[] };
  /** Null while no facility has reported a death. */
  died: object | null;
  now: Date;
}

/** Returns the definition as patients' pages show it. */
const definitionOf = (program: Program): ProgramDefinition => ({
  hl7BasedProgramName: program.name,
  admittingFacilityName: program.admittingFacilityName,
  admittingFacilityType: program.admittingFacilityType,
  diagnosesDefinition: program.diagnosesDefinition && {
    codes: [...program.diagnosesDefinition.codes],
    principalOnly: program.diagnosesDefinition.principalOnly,
  },
  drgCodes: [...program.drgCodes],
  payer: program.payer,
  dischargeSetting: program.dischargeSetting,
  dischargedTo: program.dischargedTo,
  validityPeriod: program.validityPeriod,
});

/** What the answer needs besides the enrollment. */
export interface ShownWith {
  facilities: ReadonlyMap<string, FacilityRow>;
  /** Whether the actor may see insurance. */
  seesInsurance: boolean;
}

const firstPayer = ({ stay: { payer } }: Enrollment): string | null =>
  payer && payerName({ company: payer.company, plan: payer.plan, code: payer.code, memberId: null });

/** Returns the enrollment in short, as a patient's page has it. */
export function programInfoOf(enrollment: Enrollment, { facilities, seesInsurance }: ShownWith): ProgramOfMessages {
  const { program, stay, validTo } = enrollment;
  return {
    id: programId(program),
    hl7BasedProgramName: program.name,
    admittingFacilityName: facilities.get(stay.visit.facilityId)?.name ?? null,
    payer: seesInsurance ? firstPayer(enrollment) : null,
    validTo,
  };
}

/** Returns the enrollment with the definition and the stay behind it. */
export function programEnrollmentOf(enrollment: Enrollment, shown: ShownWith): ProgramEnrollment {
  const { program, stay, validFrom } = enrollment;
  return {
    ...programInfoOf(enrollment, shown),
    definition: definitionOf(program),
    validFrom,
    encounterId: stay.visit.id,
    drg: stay.drg,
    isPart2: shown.facilities.get(stay.visit.facilityId)?.isPart2Facility ?? false,
  };
}

/** Returns the programs as cohorts of the organization that defined them. */
export const programCohortsOf = (enrollments: readonly Enrollment[], shown: ShownWith): Cohort[] =>
  enrollments.map((enrollment) => {
    const { id, hl7BasedProgramName, admittingFacilityName, payer, validTo } = programInfoOf(enrollment, shown);
    return {
      id,
      parentId: derivedId('OWNING_ORG', enrollment.program.organizationId, ''),
      name: hl7BasedProgramName,
      type: 'HL7_PROGRAM',
      metaData: { state: null, admittingFacilityName, payer, validTo },
    };
  });

/** The same for the same definition, whatever it is called. */
const programId = ({ organizationId, id }: Program): string => derivedId('HL7_PROGRAM', organizationId, id);

/** Returns each program once: a roster may name a program as the organization's definition does. */
export const eachOnce = (programs: readonly { name: string }[]): { name: string }[] =>
  [...new Map(programs.toReversed().map((program) => [program.name, program])).values()].toReversed();
