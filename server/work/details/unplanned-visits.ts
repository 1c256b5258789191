import type { PatientDetails } from '#contract/patient-details.ts';
import { personRisks } from '#server/record/rules/rising-risk.ts';
import type { LoadedPatient } from '#server/work/patients/load.ts';

/** Returns the visits that rising risk and multi-visit follow from. */
export function unplannedVisitsOf(
  { counted, timeZone, riskRule }: Pick<LoadedPatient, 'counted' | 'timeZone' | 'riskRule'>,
  now: number,
): NonNullable<PatientDetails['risingRiskInfo']>['unplannedVisits'] {
  const risks = personRisks(counted, now, timeZone);
  const { recent, usual } = risks.useAt(now, riskRule);
  return { days: riskRule.days, recent, usual, last180Days: risks.behind('MULTI_VISIT', now, riskRule).length };
}
