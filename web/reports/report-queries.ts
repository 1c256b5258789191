import { queryOptions } from '@tanstack/react-query';
import type { RouteInput } from '#contract/routes.ts';
import { call } from '../api/call.ts';

const kept = { staleTime: 0, placeholderData: <T>(previous: T) => previous };

export const userReportQuery = (query: RouteInput<'GET /api/reports/users'>['query']) =>
  queryOptions({
    queryKey: ['report-users', query],
    queryFn: () => call('GET /api/reports/users', { query }),
    ...kept,
  });
export const pageReportQuery = (query: RouteInput<'GET /api/reports/route-audit'>['query']) =>
  queryOptions({
    queryKey: ['report-pages', query],
    queryFn: () => call('GET /api/reports/route-audit', { query }),
    ...kept,
  });
export const accessReviewQuery = (query: RouteInput<'GET /api/reports/access-review'>['query']) =>
  queryOptions({
    queryKey: ['report-access', query],
    queryFn: () => call('GET /api/reports/access-review', { query }),
    ...kept,
  });
