import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** How the user is notified of each saved filter in the selected team. */
export const notificationPreferencesQuery = queryOptions({
  queryKey: ['notification-preferences'],
  queryFn: () => call('GET /api/notification-filter-preferences'),
});

/** Quiet hours, and where notifications can reach the user. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: () => call('GET /api/notification-settings'),
});

/** The user's latest notifications, and what became of them. */
export const deliveriesQuery = queryOptions({
  queryKey: ['notification-deliveries'],
  queryFn: () => call('GET /api/notification-deliveries'),
  staleTime: 0,
});
