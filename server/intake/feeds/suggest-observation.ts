/** Which codes of outpatients probably mean observation: a pure rule over counts. */
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { OutpatientCode } from '#contract/feeds.ts';
import { meansObservation } from './count-outpatient-codes.ts';

export type CodeCounts = Omit<OutpatientCode, 'suggestedBy'>;

/** Fewer visits say nothing about a code. Ours. */
const FEWEST_VISITS = 5;
/** OBS, OBV, OBSERV …, but not obstetrics; a clinical decision unit; a stay of 23 hours. */
const NAMES_OBSERVATION = /OBS(?!T|ET)|OBV|OBSRV|^CDU$|^2[34] ?H/;

/**
 * Returns why a code is suggested: its name ('NAME'), or more than half of the stays with it were long and in a bed ('USE'). Null if it
 * isn't, or if the feed's settings already say what the code means.
 */
export function suggestedBy(code: CodeCounts, settings: FeedSettings): OutpatientCode['suggestedBy'] {
  const { arrivals, discharges, longStays } = code;
  if (meansObservation(code, settings.observationCodes) || isMapped(code, settings)) return null;
  if (Math.max(arrivals, discharges) < FEWEST_VISITS) return null;
  if (NAMES_OBSERVATION.test(code.code)) return 'NAME';
  return discharges >= FEWEST_VISITS && longStays * 2 > discharges ? 'USE' : null;
}

const isMapped = ({ field, code }: CodeCounts, { classMap }: FeedSettings): boolean =>
  classMap.some((rule) => (field === 'PV1-10' ? rule.hospitalService : rule.patientType) === code);
