/** Covid-19 as the codes and words of a visit's diagnoses mention it: the illness, not a test for it, a vaccination, or a history of it. */

/** ICD-10-CM: COVID-19; the same by clinical judgement (WHO's code); pneumonia due to it; its inflammatory syndrome. */
const CODES = new Set(['U071', 'U072', 'J1282', 'M3581']);
const WORDS = /covid|sars[- ]?cov[- ]?2/i;
/** What is said of people who do not have it: never, not now, or no more (ICD-10-CM Z11.52, Z20.822, Z23, Z86.16, U09.9). */
const NOT_ILL =
  /screening|exposure|exposed|contact with|vaccin|immuniz|history of (\S+ ){0,3}(covid|sars)|h\/o|(post|long)[- ]covid|sequelae|negative|ruled? out|r\/o|no evidence/i;

interface Mentioning {
  diagnoses: readonly { code: string; description: string | null }[];
  admitReason: string | null;
}

/** Whether the visit's diagnoses, or the reason that was given at its beginning (PV2-3), mention Covid-19. */
export function mentionsCovid({ diagnoses, admitReason }: Mentioning): boolean {
  for (const { code, description } of diagnoses) {
    // A code says what it is: the words beside it add nothing.
    if (ICD.test(code) ? isCovidCode(code) : saysCovid(description)) return true;
  }
  return saysCovid(admitReason);
}

const ICD = /^\s*[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?\s*$/i;
const isCovidCode = (code: string): boolean => CODES.has(code.replace('.', '').trim().toUpperCase());
const saysCovid = (text: string | null): boolean => text !== null && WORDS.test(text) && !NOT_ILL.test(text);
