/** What a stay is for, where the sender says so in words. */
import type { VisitState } from '#server/record/fold/visit-state.ts';

export type Purpose = 'LABOR' | 'CANCER_TREATMENT';

/** Words that say nothing else about the reason: 'scheduled admission for', 'cycle 3 day 1', 'r/o'. */
const HARMLESS = words(`
  a admission admit admitted and at day elective encounter evaluation for here in inpatient is of patient planned possible presenting presents
  pt r o out routine rule scheduled the to with d`);

/** A text has one of the first words, and otherwise only of the others. */
const PURPOSES: readonly { purpose: Purpose; needs: ReadonlySet<string>; allows: ReadonlySet<string> }[] = [
  {
    purpose: 'LABOR',
    needs: words('labor labour delivery childbirth birth newborn liveborn born cesarean caesarean'),
    allows: words(`
      active assisted baby boy check child contractions early false female full girl gestation healthy induction infant intrauterine iol live low
      male normal onset pregnancy pregnant premature preterm primary prom repeat rom section single singleton spontaneous srom term transverse
      twin twins vaginal w week weeks well wk wks`),
  },
  {
    purpose: 'CANCER_TREATMENT',
    needs: words('chemo chemotherapy immunotherapy radiotherapy radiation'),
    allows: words(`
      administration antineoplastic c cancer course cycle dose high infusion leukemia lymphoma maintenance myeloma round session therapy treatment`),
  },
];

/**
 * Returns the purpose that the admit reason (PV2-3) or a diagnosis without a code names. Any word that may be about something else makes it no
 * such purpose: a complication, a body part, a time ago, a 'not'.
 */
export function purposeOf({ diagnoses, admitReason }: Pick<VisitState, 'diagnoses' | 'admitReason'>): Purpose | null {
  const texts = [admitReason, ...diagnoses.filter(({ code }) => !code.trim()).map(({ description }) => description)];
  for (const text of texts) {
    const said = plain(text ?? '').match(/[a-z]+/g) ?? [];
    for (const { purpose, needs, allows } of PURPOSES) {
      const isHarmless = (word: string) => needs.has(word) || allows.has(word) || HARMLESS.has(word);
      if (said.some((word) => needs.has(word)) && said.every(isHarmless)) return purpose;
    }
  }
  return null;
}

/** Labor pains belong to labor, pains after a C-section don't. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\bc[- ]?section\b/g, 'cesarean')
    .replace(/\b(labou?r) pains?\b/g, '$1');

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
