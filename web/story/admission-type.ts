/** PV1-4 as senders write it: HL7 table 0007, or the type of admission of the UB-04 (form locator 14). */
const ADMISSION_TYPES: Readonly<Record<string, string>> = {
  A: 'Accident',
  C: 'Elective',
  E: 'Emergency',
  L: 'Labor and delivery',
  N: 'Newborn',
  R: 'Routine',
  U: 'Urgent',
  1: 'Emergency',
  2: 'Urgent',
  3: 'Elective',
  4: 'Newborn',
  5: 'Trauma',
};

/** Returns an admission type in words; another code as it was sent. */
export const admissionTypeInWords = (code: string): string => ADMISSION_TYPES[code.trim().toUpperCase()] ?? code;
