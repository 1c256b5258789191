import type { Patient } from '#contract/patients.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { PatientFlags } from '#server/record/rules/patient-flags.ts';
import type { ListingRow } from './queries.ts';

/** Returns a patient's rising-risk flags and counts; null without canViewRisingRiskFlag in a group that lists the patient. */
export function riskInfoOf(
  { risingRisk, emergencyVisits6Months, inpatientStays6Months }: PatientFlags,
  current: readonly ListingRow[],
  actor: Actor,
): Patient['risingRiskInfo'] {
  const groups = new Set(actor.groupsWith('canViewRisingRiskFlag'));
  if (!current.some(({ groupId }) => groups.has(groupId))) return null;
  return {
    hasReadmission: risingRisk.includes('READMISSION'),
    emergencyVisits: emergencyVisits6Months,
    inpatientStays: inpatientStays6Months,
    multiVisitFlag: risingRisk.includes('MULTI_VISIT'),
    risingRiskFlag: risingRisk.includes('RISING'),
  };
}
