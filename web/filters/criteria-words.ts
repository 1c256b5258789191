import { counted } from '#contract/counted.ts';
import { FACETS, type Facet } from '#contract/facets.ts';
import type { FilterValue } from '#contract/search.ts';
import { summaryOf } from './filter-words.ts';

/** `openPatientsOnly` in words. */
export const CURRENT_STAYS_ONLY = 'Current stays only';

/** Returns "2 patients hidden". */
export const hiddenPatients = (count: number): string => `${counted(count, 'patient', 'patients')} hidden`;

/** Returns a filtered facet in words: "Current Status: Admitted, Presented +1". `most`: how many values to name. */
export const facetInWords = (facet: Facet, values: readonly FilterValue[], most?: number): string =>
  `${FACETS[facet].label}: ${summaryOf(facet, values, most)}`;
