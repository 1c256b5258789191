/** Detects COVID-19 in a visit's diagnosis codes and texts: the illness, not a test, a vaccination or a history of it. */

/** ICD-10-CM: COVID-19; COVID-19 by clinical diagnosis (WHO code); pneumonia due to it; its multisystem inflammatory syndrome. */
const CODES = new Set(['U071', 'U072', 'J1282', 'M3581']);
const WORDS = /covid|sars[- ]?cov[- ]?2/i;
/**
 * Phrases about people who don't have it, or of whom nobody knows: never, not now, no longer (ICD-10-CM Z11.52, Z20.822, Z23, Z86.16, U09.9), or
 * suspected, since only confirmed cases are coded (ICD-10-CM Official Guidelines, I.C.1.g.1.a). Uncertain words anywhere in the text make it uncertain.
 */
const NOT_ILL =
  /recover(?:ed|ing) from|suspect|suspicion|possible|probable|presumed|presumptive|inconclusive|concern for|\bpui\b|under investigation|\bhx\b|prior covid|previous covid|had covid|covid(?:-19)? (?:in|last|\w+ (?:months?|weeks?|years?) ago)|\?|screening|exposure|exposed|contact with|vaccin|immuniz|history of (\S+ ){0,3}(covid|sars)|h\/o|(post|long)[- ]covid|sequelae|negative|ruled? out|r\/o|no evidence/i;

interface DiagnosisText {
  diagnoses: readonly { code: string; description: string | null }[];
  admitReason: string | null;
}

/** Whether the visit's diagnoses or its admit reason (PV2-3) mention COVID-19. */
export function mentionsCovid({ diagnoses, admitReason }: DiagnosisText): boolean {
  for (const { code, description } of diagnoses) {
    // An ICD code decides by itself; its description adds nothing.
    if (ICD.test(code) ? isCovidCode(code) : saysCovid(description)) return true;
  }
  return saysCovid(admitReason);
}

const ICD = /^\s*[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?\s*$/i;
const isCovidCode = (code: string): boolean => CODES.has(code.replace('.', '').trim().toUpperCase());
const saysCovid = (text: string | null): boolean => text !== null && WORDS.test(text) && !NOT_ILL.test(text);
