import type { CareTeamRecord } from '#contract/care.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { hasHappened, isPostAcute } from '#server/record/rules/rule-visit.ts';
import { type InstructionKind, type InstructionRow, instructionsOf } from '#server/work/care/instruction-queries.ts';
import { careTeamOf } from '#server/work/care/queries.ts';
import type { LoadedPatient } from '#server/work/patients/load.ts';

type Care = Pick<
  PatientDetails,
  | 'admitInstructions'
  | 'dischargeInstructions'
  | 'admitCareInstructionForms'
  | 'dischargeCareInstructionForms'
  | 'communityOfCare'
  | 'patientCarePlanInfo'
>;

/** Returns what the patient's programs ask others to do, which of them have a care plan, and how many look after the patient. */
export async function careOf(tx: ActorTransaction, loaded: LoadedPatient): Promise<Care> {
  const [team, instructions] = await Promise.all([careTeamOf(tx, loaded.personId), readableInstructions(tx, loaded)]);
  const ofKind = (kind: InstructionKind) => instructions.filter((row) => row.kind === kind);
  return {
    admitInstructions: ofKind('ADMIT'),
    dischargeInstructions: ofKind('DISCHARGE'),
    admitCareInstructionForms: formsOf(ofKind('ADMIT')),
    dischargeCareInstructionForms: formsOf(ofKind('DISCHARGE')),
    communityOfCare: communityOf(loaded, team),
    patientCarePlanInfo: team.flatMap(({ hasCarePlan, organizationName, program, groupName }) =>
      hasCarePlan ? { organization: organizationName, programName: program ?? groupName } : [],
    ),
  };
}

/** As GET /api/patients/:id/instructions: for groups for which the actor holds canViewCarePlans. */
async function readableInstructions(tx: ActorTransaction, { personId, listings }: LoadedPatient) {
  const readers = new Set(tx.actor.groupsWith('canViewCarePlans'));
  if (!listings.some(({ groupId }) => readers.has(groupId))) return [];
  const own = new Set(tx.groupIds);
  return (await instructionsOf(tx, personId)).filter(({ groupId }) => readers.has(groupId) || !own.has(groupId));
}

const formsOf = (rows: readonly InstructionRow[]): Care['admitCareInstructionForms'] =>
  rows.flatMap(({ groupId, instruction, form }) =>
    form ? { groupId, instruction, documentKey: form.documentKey, fileName: form.fileName } : [],
  );

function communityOf({ patient, counted }: LoadedPatient, team: readonly CareTeamRecord[]): Care['communityOfCare'] {
  const { providers, careCoordinators } = patient;
  const coordinators = new Set([...careCoordinators.map((c) => c.fullName), ...team.map((c) => c.contactName)]);
  const visited = counted.filter((visit) => hasHappened(visit) && isPostAcute(visit));
  const postAcute = new Set(visited.map(({ facilityId }) => facilityId));
  return {
    numberOfProviders: providers.length,
    numberOfCareCoordinators: coordinators.size,
    numberOfPostAcuteFacilities: postAcute.size,
    totalSizeOfCommunity: providers.length + coordinators.size + postAcute.size,
  };
}
