import { DAY } from '#contract/durations.ts';
import { FLAG_LABELS } from '#contract/facet-labels.ts';
import type { CountedVisit, RiskExplanation } from '#contract/rising-risk.ts';
import { formatDate } from '../ui/format/date.ts';

export const REASON_LABELS = FLAG_LABELS.risingRisk;

/** How long someone counts as new on the list. */
const NEW_DAYS = 14;

const CARE = { EMERGENCY: 'ED', OBSERVATION: 'Observation', INPATIENT: 'Inpatient' } as const;
/** Returns what came of a visit, in a word. */
export const careOf = ({ setting }: CountedVisit): string => (CARE as Record<string, string>)[setting] ?? 'Visit';

export const isNew = ({ since }: RiskExplanation, now: Date): boolean =>
  since !== null && now.getTime() - Date.parse(since) < NEW_DAYS * DAY;

export const sinceInWords = ({ since }: RiskExplanation): string =>
  since === null ? 'On the list for more than 60 days' : `On the list since ${formatDate(since)}`;

/** Returns "2 in 60 days, usually 0.4". */
export const useInWords = ({ recent, usual }: RiskExplanation, days: number): string =>
  `${recent} in ${days} days, usually ${usual === 0 ? 'none' : usual.toLocaleString('en-US', { maximumFractionDigits: 1 })}`;

/** The newest visits behind all reasons, each once. */
export const visitsBehind = ({ reasons }: RiskExplanation): CountedVisit[] => [
  ...new Map(reasons.flatMap(({ visits }) => visits).map((visit) => [visit.encounterId, visit])).values(),
];
