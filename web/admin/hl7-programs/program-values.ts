import {
  DEFAULT_VALIDITY,
  DIAGNOSIS_PATTERN,
  DRG_PATTERN,
  hasConditions,
  MOST_DIAGNOSES,
  MOST_DRGS,
  NO_CONDITIONS,
  PROGRAM_TEXTS,
  VALIDITY_LIMITS,
} from '#contract/hl7-program-words.ts';
import type { AdminProgram, ProgramFields } from '#contract/hl7-programs.ts';

/** A definition as the form holds it. Empty where a condition is not asked. */
export interface ProgramValues {
  hl7BasedProgramName: string;
  admittingFacilityId: string;
  admittingFacilityName: string;
  admittingFacilityType: string;
  /** Codes with spaces or commas between them. */
  diagnoses: string;
  principalOnly: boolean;
  /** As the diagnoses; '291-293' means all from one to the other. */
  drgCodes: string;
  payer: string;
  dischargeSetting: string;
  dischargedTo: string;
  validityPeriod: string;
  /** Where the form shows that there is no condition. */
  conditions: '';
}

export const valuesOf = (program: AdminProgram | null): ProgramValues => ({
  hl7BasedProgramName: program?.hl7BasedProgramName ?? '',
  admittingFacilityId: program?.admittingFacilityId ?? '',
  admittingFacilityName: program?.admittingFacilityName ?? '',
  admittingFacilityType: program?.admittingFacilityType ?? '',
  diagnoses: program?.diagnosesDefinition?.codes.join(', ') ?? '',
  principalOnly: program?.diagnosesDefinition?.principalOnly ?? true,
  drgCodes: program?.drgCodes.join(', ') ?? '',
  payer: program?.payer ?? '',
  // What most programs mean by a discharge; a visit to the ED would enroll otherwise.
  dischargeSetting: program ? (program.dischargeSetting ?? '') : 'INPATIENT',
  dischargedTo: program?.dischargedTo ?? '',
  validityPeriod: String(program?.validityPeriod ?? DEFAULT_VALIDITY),
  conditions: '',
});

const partsOf = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

const RANGE = /^(\d{3})[-–](\d{3})$/;

/** Returns the codes that a part means; null if it is none. */
function drgsOf(part: string): string[] | null {
  if (DRG_PATTERN.test(part)) return [part];
  const [, first, last] = RANGE.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || to < from) return null;
  return Array.from({ length: to - from + 1 }, (_, n) => String(from + n).padStart(3, '0'));
}

function drgProblem(text: string): string | undefined {
  const parts = partsOf(text);
  const wrong = parts.find((part) => drgsOf(part) === null);
  if (wrong !== undefined) return `${wrong.slice(0, 20)} is not a DRG. Use three digits, such as 291 or 291-293.`;
  const count = new Set(parts.flatMap((part) => drgsOf(part) ?? [])).size;
  return count > MOST_DRGS ? `These are ${count} DRGs. Enter at most ${MOST_DRGS}.` : undefined;
}

function diagnosisProblem(text: string): string | undefined {
  const parts = partsOf(text);
  const wrong = parts.find((part) => !DIAGNOSIS_PATTERN.test(part));
  if (wrong !== undefined)
    return `${wrong.slice(0, 20)} is not an ICD-10-CM code or its beginning. Use codes such as I50 or I50.9.`;
  return parts.length > MOST_DIAGNOSES
    ? `These are ${parts.length} codes. Enter at most ${MOST_DIAGNOSES}, or the beginnings they share.`
    : undefined;
}

function validityProblem(text: string): string | undefined {
  const [least, most] = VALIDITY_LIMITS;
  const days = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(days) && days >= least && days <= most
    ? undefined
    : `Enter a whole number of days from ${least} to ${most}.`;
}

function nameProblem(name: string): string | undefined {
  const { max, required, tooLong } = PROGRAM_TEXTS.hl7BasedProgramName;
  if (name === '') return required;
  return name.length > max ? tooLong : undefined;
}

/** Returns what is wrong, by field. */
export function problemsOf(values: ProgramValues): Record<string, string | undefined> {
  const isFacilityOpen = values.admittingFacilityName.trim() !== '' && values.admittingFacilityId === '';
  const problems = {
    hl7BasedProgramName: nameProblem(values.hl7BasedProgramName.trim()),
    admittingFacilityName: isFacilityOpen ? 'Choose one of the facilities found, or clear the field.' : undefined,
    diagnoses: diagnosisProblem(values.diagnoses),
    drgCodes: drgProblem(values.drgCodes),
    validityPeriod: validityProblem(values.validityPeriod),
  };
  const isValid = Object.values(problems).every((problem) => problem === undefined);
  return { ...problems, conditions: isValid && !hasConditions(fieldsOf(values)) ? NO_CONDITIONS : undefined };
}

/** Returns the definition for the server. Call it only without problems. */
export function fieldsOf(values: ProgramValues): ProgramFields {
  const codes = [...new Set(partsOf(values.diagnoses))];
  return {
    hl7BasedProgramName: values.hl7BasedProgramName.trim(),
    admittingFacilityId: values.admittingFacilityId || null,
    admittingFacilityType: (values.admittingFacilityType || null) as ProgramFields['admittingFacilityType'],
    diagnosesDefinition: codes.length > 0 ? { codes, principalOnly: values.principalOnly } : null,
    drgCodes: [...new Set(partsOf(values.drgCodes).flatMap((part) => drgsOf(part) ?? []))],
    payer: values.payer.trim() || null,
    dischargeSetting: (values.dischargeSetting || null) as ProgramFields['dischargeSetting'],
    dischargedTo: (values.dischargedTo || null) as ProgramFields['dischargedTo'],
    validityPeriod: Number(values.validityPeriod),
  };
}

/** The same without the name, for the preview. */
export function conditionsOf(values: ProgramValues): Omit<ProgramFields, 'hl7BasedProgramName'> {
  const { hl7BasedProgramName: _, ...conditions } = fieldsOf(values);
  return conditions;
}
