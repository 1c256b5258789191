import type { PatientDetails } from '#contract/patient-details.ts';
import { MULTI_VISIT_DAYS } from '#contract/rising-risk-words.ts';
import { formatDate } from '../ui/format/date.ts';

/** A flag with its reason, in words. */
export type Flag = readonly [label: string, reason: string];

/** Returns "1 visit", "2 visits". */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const listed = (label: string, values: readonly string[]): Flag[] =>
  values.length > 0 ? [[label, values.join(', ')]] : [];

const covidInWords = ({ startDate, mostRecentDate }: NonNullable<PatientDetails['covid19Info']>): string =>
  [startDate && `First mentioned ${formatDate(startDate)}`, mostRecentDate && `last ${formatDate(mostRecentDate)}`]
    .filter(Boolean)
    .join(', ') || 'Date not recorded';

const unplanned = (visits: number): string => count(visits, 'unplanned acute visit');

const risingInWords = ({ unplannedVisits }: NonNullable<PatientDetails['risingRiskInfo']>): string => {
  const { days, recent, usual } = unplannedVisits;
  const most = usual.toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${unplanned(recent)} in ${days} days, usually ${most === '0' ? 'none' : most}`;
};

/** Returns the patient's flags, each with its reason. Those of a visit are shown with the visit. */
export const flagsOf = (patient: PatientDetails): Flag[] => {
  const { huFlag, risingRiskInfo: risk, covid19Info: covid } = patient;
  const emergency = `${count(patient.emergencyRoomVisitCount, 'ED visit')} in 12 months, at ${count(patient.emergencyRoomCount, 'emergency department')}`;
  return [
    ...(huFlag === 'VALID' ? [['High ED use', emergency] as const] : []),
    ...(huFlag === 'EXPIRED' ? [['High ED use, no longer', emergency] as const] : []),
    ...(risk?.risingRiskFlag ? [['Rising risk', risingInWords(risk)] as const] : []),
    ...(risk?.multiVisitFlag
      ? [['Multi-visit patient', `${unplanned(risk.unplannedVisits.last180Days)} in ${MULTI_VISIT_DAYS} days`] as const]
      : []),
    ...(risk?.hasReadmission ? [['Readmission', 'Readmitted within the last 60 days'] as const] : []),
    ...(covid ? [[covid.flag ? 'COVID-19' : 'COVID-19, expired', covidInWords(covid)] as const] : []),
    ...(patient.is3dWaiverEligible ? [['Three-day waiver', 'Eligible by what is known and confirmed'] as const] : []),
    ...listed('Open care gaps', patient.careGaps),
    ...listed('Advance care documents', patient.advanceCareDocuments),
    ...listed('Currently billing', patient.currentlyBillingAgencies),
  ];
};
