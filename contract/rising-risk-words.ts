/** The rule of rising risk, its limits and its words. Free of schemas, because the browser loads it with the list. */
import { counted } from './counted.ts';

/** By which numbers people are listed. Visits are episodes: an arrival, the stay that follows and its transfers are one. */
export interface RisingRiskRule {
  /** Rising: at least so many unplanned acute visits within `days` … */
  visits: number;
  days: number;
  /** … and at least so many times the person's own average per `days` in the rest of the year. */
  factor: number;
  /** Multi-visit: at least so many unplanned acute visits within 180 days … */
  multiVisits: number;
  /** … in at least so many calendar months. Whoever is one is not rising as well. */
  multiMonths: number;
}

/** Ours, based on practice and the literature (docs/events.md). It holds for organizations that have not chosen their own. */
export const DEFAULT_RISING_RISK_RULE: RisingRiskRule = {
  visits: 2,
  days: 60,
  factor: 2,
  multiVisits: 6,
  multiMonths: 3,
};

/** The smallest and the largest value of each number. A window of 180 days leaves half a year to compare it with. */
export const RULE_LIMITS: Readonly<Record<keyof RisingRiskRule, readonly [least: number, most: number]>> = {
  visits: [1, 20],
  days: [14, 180],
  factor: [1, 10],
  multiVisits: [3, 50],
  multiMonths: [1, 6],
};

export const MULTI_VISIT_DAYS = 180;
export const READMISSION_DAYS = 60;

/** The facets that say who is at risk: the flag in the filter panel, and the list of the page. */
export const RISK_FACETS = ['risingRisk', 'riskList'] as const;

/** Why someone is on the list. */
export const RISK_REASONS = ['RISING', 'MULTI_VISIT', 'READMISSION'] as const;
export type RiskReason = (typeof RISK_REASONS)[number];

/** Returns what each reason means under the rule, as sentences. */
export const ruleInWords = ({
  visits,
  days,
  factor,
  multiVisits,
  multiMonths,
}: RisingRiskRule): Record<RiskReason, string> => ({
  RISING: `At least ${counted(visits, 'unplanned acute visit')} in ${days} days, and at least ${factor} times the person's own average for ${days} days over the rest of the year.`,
  MULTI_VISIT: `At least ${counted(multiVisits, 'unplanned acute visit')} in ${MULTI_VISIT_DAYS} days, in at least ${counted(multiMonths, 'separate month')}.`,
  READMISSION: `An unplanned readmission in the last ${READMISSION_DAYS} days.`,
});

/** What no rule counts. */
export const NOT_COUNTED =
  'An arrival, the stay that follows, and transfers count as one visit. Planned stays and stays for labor or birth never raise a risk. Canceled and planned visits are left out, and so are people who died.';
