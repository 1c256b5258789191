/** Visits for tests of the rules (`server/record/rules`). */

import { DAY } from '#contract/durations.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';

/** Noon, so that whole days before it are the same local day in every US time zone. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');
/** Returns the instant that many days before `NOW`. */
export const daysAgo = (days: number): number => NOW - days * DAY;

const GROUP_OF = { SNF: 'SNF', HHA: 'ADMITTING', HOSPICE: 'ADMITTING', URGENT_CARE: 'ADMITTING' } as const;
const TYPE_OF = { SNF: 'SNF', HHA: 'HHA', HOSPICE: 'HOSPICE', URGENT_CARE: 'URGENT_CARE' } as const;

let count = 0;

/** Returns a visit. `from` and `to` are days before `NOW`; `to` is four hours after `from` by default, and null if ongoing. */
export function visit(
  setting: RuleVisit['setting'],
  from: number | null,
  to: number | null = from === null ? null : from - 1 / 6,
  over: Partial<RuleVisit> = {},
): RuleVisit {
  count += 1;
  return {
    id: String(count),
    facilityId: 'mercy',
    groupType: GROUP_OF[setting as keyof typeof GROUP_OF] ?? 'HOS',
    facilityType: TYPE_OF[setting as keyof typeof TYPE_OF] ?? 'HOS',
    timeZone: 'America/New_York',
    setting,
    status: to === null ? 'IN_PROGRESS' : 'FINISHED',
    admittedAt: from === null ? null : daysAgo(from),
    dischargedAt: to === null ? null : daysAgo(to),
    inpatientFrom: null,
    isInpatientUndated: false,
    leaves: [],
    diedAt: null,
    isDeathDenied: false,
    isDeathWithdrawn: false,
    cameThroughEmergency: false,
    presentedHere: false,
    admitSource: '1',
    admissionType: '1',
    purpose: null,
    disposition: to === null ? null : '01',
    diagnosisCodes: ['I50.9'],
    mentionsCovid: false,
    ...over,
  };
}
