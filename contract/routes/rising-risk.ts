import { heldRule, risingRiskRule, rulePreview } from '../rising-risk.ts';
import type { RouteTable } from './route.ts';

export const risingRiskRoutes = {
  'GET /api/rising-risk/rule': {
    permission: 'canViewRiskingRisk',
    summary: "Get the rule by which the team's patients are listed as rising risk",
    answer: heldRule,
  },
  'POST /api/rising-risk/preview': {
    permission: 'canManageUsers',
    summary:
      "Count the team's patients that another rule would have listed over the past year; needs canViewRiskingRisk too",
    audit: 'rising-risk.preview',
    body: risingRiskRule,
    answer: rulePreview,
  },
} as const satisfies RouteTable;
