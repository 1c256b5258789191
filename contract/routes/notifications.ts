import { z } from 'zod';
import {
  delivery,
  notificationPreference,
  notificationPreferenceFields,
  notificationSettings,
  notificationTarget,
  quietHours,
  textReply,
} from '../notifications.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const notificationsRoutes = {
  'GET /api/notification-filter-preferences': {
    permission: 'in-team',
    summary: 'List how you are notified of new pings that match your saved filters in the selected team',
    answer: z.array(notificationPreference),
  },
  'PUT /api/notification-filter-preferences/:id': {
    permission: ['canViewPings', 'canViewEventFeed'],
    summary: 'Set how you are notified of new pings that match a saved filter; the id is the filter’s',
    params: z.object({ id }),
    body: notificationPreferenceFields,
    answer: notificationPreference,
  },
  'PUT /api/notification-filter-preferences': {
    permission: 'in-team',
    summary: 'Mute or unmute the notifications of all your saved filters in the selected team',
    body: z.object({ muted: z.boolean() }),
    answer: z.array(notificationPreference),
  },
  'GET /api/notification-settings': {
    permission: 'signed-in',
    summary: 'Get your quiet hours, and where notifications can reach you',
    answer: notificationSettings,
  },
  'PUT /api/notification-settings': {
    permission: 'signed-in',
    summary: 'Set or remove your quiet hours',
    body: z.object({ quietHours: quietHours.nullable() }),
    answer: notificationSettings,
  },
  'GET /api/notification-deliveries': {
    permission: 'signed-in',
    summary: 'List your latest notifications and what became of them, newest first',
    answer: z.array(delivery),
  },
  'GET /api/notifications/:uuid': {
    permission: 'signed-in',
    summary: 'Get the list that a notification’s link opens',
    params: z.object({ uuid: z.uuid().max(36) }),
    answer: notificationTarget,
  },
  'POST /api/text-messages/twilio': {
    permission: 'public',
    summary: 'Take a reply to a text message (STOP, START) from Twilio, by its signature',
    body: textReply,
    kind: 'form',
  },
} as const satisfies RouteTable;
