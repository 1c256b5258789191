import { z } from 'zod';
import { message, messageFilters, messagePreview, newDismissal, settingsTrial, triedSettings } from '../feeds.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

/** How many messages are waiting, or were put back into the queue. */
const messageCount = z.object({ messages: z.number().int() });

export const messagesRoutes = {
  'POST /api/feeds/:id/replay': {
    permission: 'canManageUsers',
    summary: "Replay all messages in a feed's quarantine",
    audit: 'feed.replay',
    params: z.object({ id }),
    answer: messageCount,
  },
  'GET /api/feeds/messages': {
    permission: 'canManageUsers',
    summary: 'List received messages, newest first',
    audit: 'message.list',
    query: messageFilters,
    answer: z.object({ messages: z.array(message), total: z.number().int(), numPages: z.number().int() }),
  },
  'GET /api/feeds/messages/:id': {
    permission: 'canManageUsers',
    summary: 'Get a received message with its text',
    audit: 'message.view',
    params: z.object({ id }),
    answer: message.extend({ text: z.string().nullable() }),
  },
  'POST /api/feeds/messages/:id/replay': {
    permission: 'canManageUsers',
    summary: 'Replay a message, for example after a setting was fixed',
    audit: 'message.replay',
    params: z.object({ id }),
    answer: message,
  },
  'POST /api/feeds/messages/:id/dismiss': {
    permission: 'canManageUsers',
    summary: 'Dismiss a quarantined message with a reason, so that it is no longer replayed with its feed',
    audit: 'message.dismiss',
    params: z.object({ id }),
    body: newDismissal,
    answer: message,
  },
  'POST /api/feeds/messages/:id/undismiss': {
    permission: 'canManageUsers',
    summary: 'Undo the dismissal of a message, which puts it back into quarantine',
    audit: 'message.undismiss',
    params: z.object({ id }),
    answer: message,
  },
  'POST /api/feeds/:id/try-settings': {
    permission: 'canManageUsers',
    summary:
      "Count what would read differently in a feed's messages of the last week with other settings; changes nothing",
    audit: 'feed.try-settings',
    params: z.object({ id }),
    body: triedSettings,
    answer: settingsTrial,
  },
  'POST /api/feeds/preview': {
    permission: 'canManageUsers',
    summary: 'Preview what a message would do; changes nothing',
    audit: 'message.preview',
    body: z.object({ feedId: id, text: z.string().min(1).max(1_000_000) }),
    largeBody: true,
    answer: messagePreview,
  },
} as const satisfies RouteTable;
