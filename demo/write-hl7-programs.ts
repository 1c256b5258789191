import type { ProgramFields } from '#contract/hl7-programs.ts';
import { addProgram } from '#server/people/admin/directory/hl7-programs.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const ANY = {
  admittingFacilityId: null,
  admittingFacilityType: null,
  diagnosesDefinition: null,
  drgCodes: [],
  payer: null,
  dischargeSetting: 'INPATIENT',
  dischargedTo: null,
} as const satisfies Partial<ProgramFields>;

/** The programs of one administrator's organization. */
interface Defined {
  seat: Seat;
  programs: (facilityId: (key: string) => string) => readonly ProgramFields[];
}

const ACO: Defined = {
  seat: { user: 'desmond.achterberg', team: 'aco-transitions' },
  programs: (facilityId) => [
    {
      ...ANY,
      hl7BasedProgramName: 'Heart failure bundle',
      admittingFacilityId: facilityId('mercy'),
      drgCodes: ['291', '292', '293'],
      payer: 'Medicare',
      validityPeriod: 90,
    },
    {
      ...ANY,
      hl7BasedProgramName: 'COPD and pneumonia follow-up',
      admittingFacilityType: 'HOS',
      diagnosesDefinition: { codes: ['J18', 'J44'], principalOnly: true },
      payer: 'Medicare',
      validityPeriod: 30,
    },
    {
      ...ANY,
      hl7BasedProgramName: 'Stroke transitions',
      admittingFacilityType: 'HOS',
      diagnosesDefinition: { codes: ['I63'], principalOnly: true },
      drgCodes: ['061', '062', '063', '064', '065', '066'],
      validityPeriod: 60,
    },
  ],
};
const PLAN: Defined = {
  seat: { user: 'farah.lyle', team: 'pines-management' },
  programs: () => [
    {
      ...ANY,
      hl7BasedProgramName: 'Home after skilled nursing',
      admittingFacilityType: 'SNF',
      dischargeSetting: 'SNF',
      dischargedTo: 'HOME',
      validityPeriod: 30,
    },
  ],
};

export const HL7_PROGRAMS: readonly Defined[] = [ACO, PLAN];

/** Defines HL7-based programs at an accountable care organization and a health plan, as their administrators do. */
export async function writeHl7Programs(app: Database, directory: DemoDirectory, now: Date): Promise<void> {
  for (const { seat, programs } of HL7_PROGRAMS) {
    const actor = await seated(app, directory, seat);
    for (const program of programs((key) => idOf(directory.groups, key)))
      await addProgram({ db: app }, { actor, now, requestId: 'demo' }, program);
  }
}
