/** What a message says that its document is: codes of HL7 table 0270 or LOINC, and words. */
import { documentTypeName, isDischargeSummary } from '#server/intake/ccda/loinc-names.ts';
import { saysDischarge } from './describe.ts';

/** Table 0270 (v2.5.1, 9.6.1.2): the standard's words, and the LOINC code of the same type where there is one. */
const TABLE_0270: Readonly<Record<string, [name: string, loinc: string | null]>> = {
  AR: ['Autopsy report', null],
  CD: ['Cardiodiagnostics', null],
  CN: ['Consultation', '11488-4'],
  DI: ['Diagnostic imaging', '18748-4'],
  DS: ['Discharge summary', '18842-5'],
  ED: ['Emergency department report', '34111-5'],
  HP: ['History and physical examination', '34117-2'],
  OP: ['Operative report', '11504-8'],
  PC: ['Psychiatric consultation', null],
  PH: ['Psychiatric history and physical examination', null],
  PN: ['Procedure note', '28570-0'],
  PR: ['Progress note', '11506-3'],
  SP: ['Surgical pathology', null],
  TS: ['Transfer summary', '18761-7'],
};

export interface MessageType {
  /** LOINC */
  typeCode: string | null;
  type: string | null;
}

/** Returns the standard's word for a code of table 0270; undefined for another text. */
export const nameIn0270 = (code: string | null): string | undefined => TABLE_0270[code?.toUpperCase() ?? '']?.[0];

const loincOf = (code: string | null): string | null =>
  /^\d{1,7}-\d$/.test(code ?? '') ? code : (TABLE_0270[code?.toUpperCase() ?? '']?.[1] ?? null);

/** Returns the type by codes and words, most telling first. If any of them says discharge summary, it is one: fewer people may read those. */
export function typeBy(codes: readonly (string | null)[], words: readonly (string | null)[]): MessageType {
  const known = codes.flatMap((code) => loincOf(code) ?? []);
  const typeCode = known.find(isDischargeSummary) ?? known[0] ?? null;
  if (saysDischarge(typeCode, words.join('\n'))) return { typeCode, type: 'Discharge summary' };
  return { typeCode, type: words.find((each) => each !== null) ?? documentTypeName(typeCode) ?? null };
}
