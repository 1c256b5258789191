/**
 * Where a discharge went: our own short words for the UB-04 patient discharge status (PV1-36, form locator 17). Codes 81 to 95 are
 * those of 01 to 70 with a planned readmission.
 */
const LABELS: Record<string, string> = {
  '01': 'Home',
  '02': 'Another hospital',
  '03': 'Skilled nursing facility',
  '04': 'Custodial care facility',
  '05': 'Cancer centre or children’s hospital',
  '06': 'Home with home health',
  '07': 'Left against medical advice',
  '09': 'Admitted here',
  '20': 'Died',
  '21': 'Court or law enforcement',
  '30': 'Still a patient',
  '40': 'Died at home (hospice)',
  '41': 'Died in a facility (hospice)',
  '42': 'Died, place unknown (hospice)',
  '43': 'Federal hospital',
  '50': 'Hospice at home',
  '51': 'Hospice facility',
  '61': 'Swing bed',
  '62': 'Inpatient rehabilitation',
  '63': 'Long-term acute care',
  '64': 'Medicaid nursing facility',
  '65': 'Psychiatric hospital',
  '66': 'Critical access hospital',
  '69': 'Disaster care site',
  '70': 'Another kind of facility',
};

const WITH_PLANNED_READMISSION: Record<string, string> = {
  '81': '01',
  '82': '02',
  '83': '03',
  '84': '04',
  '85': '05',
  '86': '06',
  '87': '21',
  '88': '43',
  '89': '61',
  '90': '62',
  '91': '63',
  '92': '64',
  '93': '65',
  '94': '66',
  '95': '70',
};

/** In words; local text that no map knows stays as the sender wrote it, null stays null. */
export function dispositionLabel(code: string | null): string | null {
  if (code === null) return null;
  const planned = WITH_PLANNED_READMISSION[code];
  if (planned) return `${LABELS[planned]}, readmission planned`;
  return LABELS[code] ?? code;
}

const ADMIT_SOURCES: Record<string, string> = {
  '1': 'Home or community',
  '2': 'Clinic',
  '4': 'Another hospital',
  '5': 'Nursing or assisted living facility',
  '6': 'Another facility',
  '7': 'Emergency department',
  '8': 'Court or law enforcement',
  D: 'Another unit of the hospital',
  E: 'Ambulatory surgery center',
  F: 'Hospice',
};

/** Where an admission came from (PV1-14, UB-04 form locator 15 and HL7 table 0023); null where it says nothing. */
export function admitSourceLabel(code: string | null): string | null {
  return code === null || code === '9' ? null : (ADMIT_SOURCES[code] ?? code);
}
