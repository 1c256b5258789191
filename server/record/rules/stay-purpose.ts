/** What a stay is for, where the sender says so in words. */
import type { VisitState } from '#server/record/fold/visit-state.ts';

export type Purpose = 'LABOR' | 'CANCER_TREATMENT';

const LABOR_WORDS =
  /\blabou?r\b|\bnewborn\b|\blive ?born\b|\bcesarean\b|\bc[- ]section\b|\bchild ?birth\b|\bvaginal delivery\b/i;
const TREATMENT_WORDS =
  /^\s*((admission|admit|here|scheduled|elective|inpatient|maintenance|for|cycle \d+) )*(chemo|immunotherap|radiotherap|radiation therap)/i;
/** A complication of the treatment is no planned stay. */
const COMPLICATION = /induced|toxicity|complication|reaction|related|fever|sepsis|neutropeni/i;

/** Returns the purpose that the admit reason (PV2-3) or a diagnosis without a code names. */
export function purposeOf({ diagnoses, admitReason }: Pick<VisitState, 'diagnoses' | 'admitReason'>): Purpose | null {
  const texts = [admitReason, ...diagnoses.filter(({ code }) => !code.trim()).map(({ description }) => description)];
  for (const text of texts) {
    if (!text) continue;
    if (LABOR_WORDS.test(text)) return 'LABOR';
    if (TREATMENT_WORDS.test(text) && !COMPLICATION.test(text)) return 'CANCER_TREATMENT';
  }
  return null;
}
