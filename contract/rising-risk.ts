/** Who is listed as rising risk, why, and what another rule would have listed. */
import { z } from 'zod';
import { SETTINGS } from './event-codes.ts';
import { id, instant, instantOrDay } from './primitives.ts';
import { RISK_REASONS, RULE_LIMITS } from './rising-risk-words.ts';

export * from './rising-risk-words.ts';

const whole = ([least, most]: readonly [number, number]) => z.number().int().min(least).max(most);

export const risingRiskRule = z.object({
  visits: whole(RULE_LIMITS.visits),
  days: whole(RULE_LIMITS.days),
  factor: z.number().multipleOf(0.5).min(RULE_LIMITS.factor[0]).max(RULE_LIMITS.factor[1]),
  multiVisits: whole(RULE_LIMITS.multiVisits),
  multiMonths: whole(RULE_LIMITS.multiMonths),
});

/** An acute visit as it is counted: what followed the arrival is part of it. */
export const countedVisit = z.object({
  /** The encounter with which it began. */
  encounterId: id,
  /** ED, observation or inpatient: the most that came of it. */
  setting: z.enum(SETTINGS),
  facilityName: z.string(),
  /** The facility is subject to 42 CFR Part 2; the notice has to be shown. */
  isPart2: z.boolean(),
  arrivedAt: instantOrDay,
});
export type CountedVisit = z.infer<typeof countedVisit>;

/** Why a person is on the list. */
export const riskExplanation = z.object({
  reasons: z.array(
    z.object({
      reason: z.enum(RISK_REASONS),
      /** The visits behind it, the newest first. */
      visits: z.array(countedVisit),
    }),
  ),
  /** Unplanned acute visits in the rule's days until now. */
  recent: z.number().int(),
  /** The person's own average for as many days, over the rest of the year. */
  usual: z.number(),
  /** The same count as `recent`, at the end of each of the last twelve spans of 30 days, the oldest first. */
  trend: z.array(z.number().int()),
  /** Since when the person is on the list without a break, to the day; null if longer than 60 days. */
  since: instant.nullable(),
});
export type RiskExplanation = z.infer<typeof riskExplanation>;

/** The rule that holds for the team. */
export const heldRule = z.object({
  rule: risingRiskRule,
  /** The organization has not chosen its own. */
  isDefault: z.boolean(),
});

/** What two rules would have listed of the team's present patients over the past year. */
export const rulePreview = z.object({
  /** The team's patients, and how many of them were looked at: a fixed part of more than 5,000. */
  people: z.number().int(),
  checked: z.number().int(),
  /** When the first visit began that is known of them; null if none is. Days in the year after it may count too few. */
  firstVisitAt: instant.nullable(),
  /** On the list now: by both, and only by one of them. */
  now: z.object({ both: z.number().int(), added: z.number().int(), dropped: z.number().int() }),
  /** Listed at any time in the past year. */
  year: z.object({ current: z.number().int(), wanted: z.number().int() }),
  /** Listed once a week over the past year, the oldest first; the last one is now. */
  weeks: z.array(z.object({ at: instant, current: z.number().int(), wanted: z.number().int() })),
});
export type RulePreview = z.infer<typeof rulePreview>;
