/** The three-day waiver of a stay at a skilled nursing facility (42 CFR 425.612, and the TEAM model), docs/decisions/0058. */
import { z } from 'zod';
import { instant } from './primitives.ts';
import { CONFIRMABLE, WAIVER_CONDITIONS, WAIVER_RULES, WAIVER_STATUSES } from './waiver-conditions.ts';

export const waiverStatus = z.enum(WAIVER_STATUSES);

export const eligibility = z.object({
  rule: z.enum(WAIVER_RULES),
  /** `eligible` only if every condition is met; `not eligible` if one is unmet; else `unknown`. */
  answer: z.enum(['eligible', 'not eligible', 'unknown']),
  conditions: z.array(
    z.object({
      code: z.enum(WAIVER_CONDITIONS),
      answer: z.enum(['met', 'unmet', 'unknown']),
      /** The condition in words. */
      text: z.string(),
      /** What the answer is based on; null if on nothing. */
      basis: z.string().nullable(),
      canBeConfirmed: z.boolean(),
    }),
  ),
});
export type Eligibility = z.infer<typeof eligibility>;

/** The status of a stay's waiver, who set it, and whether the stay may have one. */
export const threeDayWaiver = z.object({
  status: waiverStatus,
  rule: z.enum(WAIVER_RULES),
  confirmed: z.array(z.enum(CONFIRMABLE)),
  /** Newest first. */
  history: z.array(z.object({ status: waiverStatus, username: z.string(), date: instant })),
  eligibility,
});
export type ThreeDayWaiver = z.infer<typeof threeDayWaiver>;

/** `confirmed`: absent leaves what was confirmed before. `expected`: how many changes the user saw; if there are more, nothing changes. */
export const waiverChange = z
  .object({
    status: waiverStatus,
    rule: z.enum(WAIVER_RULES).optional(),
    confirmed: z.array(z.enum(CONFIRMABLE)).max(CONFIRMABLE.length).optional(),
    expected: z.number().int().min(0).optional(),
  })
  .strict();
export type WaiverChange = z.infer<typeof waiverChange>;
