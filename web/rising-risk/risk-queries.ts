import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The rule that holds for the team. */
export const riskRuleQuery = queryOptions({
  queryKey: ['rising-risk-rule'],
  queryFn: () => call('GET /api/rising-risk/rule'),
});
