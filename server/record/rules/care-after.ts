/** The kind of place that a discharge led to, by its UB-04 code or else in its sender's words (PV1-36). */
import { isDispositionCode, LEFT_EARLY_CODES } from '#contract/dispositions.ts';

/**
 * UB-04 discharge status: home, home health, custodial care, a nursing facility that is not a skilled one (CMS MLN908628, "community setting"), each with a
 * planned readmission too; left early (07), because who leaves so goes home and needs the call most; null where the sender says nothing.
 */
const COMMUNITY = new Set([null, '01', '04', '06', ...LEFT_EARLY_CODES, '64', '81', '84', '86', '92']);
/** Words of senders without the code. */
const HOME_IN_WORDS = /^(home|residence|group home|assisted living|self care)\b/iu;
const ELSEWHERE_IN_WORDS = /hospice|nursing|\bsnf\b|rehab|hospital|expired|deceased|died|morgue/iu;
const CODE = /^\d\d$/u;

/** Where a discharge led, by its UB-04 code or else by its sender's words. UNCLEAR: words or a code that don't say. */
export function careAfter(disposition: string | null): 'COMMUNITY' | 'ELSEWHERE' | 'UNCLEAR' {
  if (COMMUNITY.has(disposition)) return 'COMMUNITY';
  if (disposition === null || isDispositionCode(disposition) || ELSEWHERE_IN_WORDS.test(disposition))
    return 'ELSEWHERE';
  return !CODE.test(disposition) && HOME_IN_WORDS.test(disposition) ? 'COMMUNITY' : 'UNCLEAR';
}
export const isToCommunity = (disposition: string | null): boolean => careAfter(disposition) === 'COMMUNITY';

/** Whether a correction of the disposition changes what a team owes the patient. From home to home with home health it doesn't. */
export const isRedirected = (before: string | null, after: string | null): boolean =>
  careAfter(before) !== careAfter(after);

/** Hospitals and nursing facilities, by code or in words. */
const FACILITIES = new Set('02 03 05 43 61 62 63 65 66 82 83 85 88 89 90 91 93 94'.split(' '));
const FACILITY_IN_WORDS = /nursing|\bsnf\b|rehab|hospital/iu;
export const isToFacility = (disposition: string | null): boolean =>
  disposition !== null &&
  (FACILITIES.has(disposition) || (careAfter(disposition) === 'ELSEWHERE' && FACILITY_IN_WORDS.test(disposition)));
