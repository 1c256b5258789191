/**
 * Who ended the care before it was complete. UB-04 has one code for all of them, "left against medical advice or discontinued care" (07), and
 * rules count them as that. The others are ours, for senders that say more: who was never seen has refused no advice.
 */
const LEFT_EARLY: Readonly<Record<string, string>> = {
  '07': 'Left against medical advice',
  LWBS: 'Left without being seen',
  LBTC: 'Left before treatment was complete',
  ELOPED: 'Left without telling staff (eloped)',
};

/** Dispositions of those who left of their own accord. */
export const LEFT_EARLY_CODES: readonly string[] = Object.keys(LEFT_EARLY);

/**
 * UB-04 codes of discharges and admissions, in our own short words. PV1-36 has the patient discharge status (form locator 17); its codes
 * 81 to 95 mean the same as fifteen others, with a planned readmission. PV1-14 has the admission source (form locator 15).
 */
const DISPOSITIONS: Record<string, string> = {
  ...LEFT_EARLY,
  '01': 'Home',
  '02': 'Another hospital',
  '03': 'Skilled nursing facility',
  '04': 'Custodial or supportive care',
  '05': 'Cancer center or children’s hospital',
  '06': 'Home with home health',
  '09': 'Admitted to this hospital',
  '20': 'Died',
  '21': 'Court or law enforcement',
  '30': 'Still a patient',
  '40': 'Died at home (hospice)',
  '41': 'Died in a facility (hospice)',
  '42': 'Died, place unknown (hospice)',
  '43': 'Federal (VA or military) facility',
  '50': 'Hospice at home',
  '51': 'Hospice facility',
  '61': 'Swing bed (skilled care)',
  '62': 'Inpatient rehabilitation',
  '63': 'Long-term acute care',
  '64': 'Medicaid nursing facility',
  '65': 'Psychiatric hospital or unit',
  '66': 'Critical access hospital',
  '69': 'Disaster care site',
  '70': 'Other health care facility',
};

const DEATHS: ReadonlySet<string> = new Set(['20', '40', '41', '42']);

export const isDeathDisposition = (code: string | null | undefined): boolean => DEATHS.has(code ?? '');

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

/** Whether the code is a UB-04 patient discharge status, or one of ours. */
export const isDispositionCode = (code: string): boolean =>
  Object.hasOwn(DISPOSITIONS, code) || Object.hasOwn(WITH_PLANNED_READMISSION, code);

/** Whether the code says that the patient left alive. */
export const isLiveDisposition = (code: string | null | undefined): boolean =>
  code != null && isDispositionCode(code) && !DEATHS.has(code) && code !== '09' && code !== '30';

/** Returns the code in words. A code that isn't UB-04 stays as the sender wrote it; null stays null. */
export function dispositionLabel(code: string | null): string | null {
  if (code === null) return null;
  const planned = ownEntry(WITH_PLANNED_READMISSION, code);
  if (planned) return `${DISPOSITIONS[planned]}, readmission planned`;
  return ownEntry(DISPOSITIONS, code) ?? code;
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

/** Returns the admission source (PV1-14, UB-04 and HL7 table 0023) in words; null if unknown. */
export function admitSourceLabel(code: string | null): string | null {
  return code === null || code === '9' ? null : (ownEntry(ADMIT_SOURCES, code) ?? code);
}

/** Whether the patient came from another hospital, or from another unit of the same one that bills separately. */
export const isFromHospital = (admitSource: string | null): boolean => /^(0?4|D)$/i.test(admitSource?.trim() ?? '');

/** The code is a sender's text: 'constructor' must not find what every object inherits. */
const ownEntry = (labels: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(labels, code) ? labels[code] : undefined;
