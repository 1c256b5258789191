import { z } from 'zod';
import { versionRead } from '../admin.ts';
import { feedHealth } from '../feed-health.ts';
import { feed, feedAsSet, feedFields, newFeed, outpatientCodes, refusedSender, unknownSender } from '../feeds.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

/** How many messages are waiting, or were put back into the queue. */
const messageCount = z.object({ messages: z.number().int() });

export const feedsRoutes = {
  'POST /api/admin/feeds': {
    permission: 'canManageUsers',
    summary:
      'Set up a feed; returns how many of its messages are waiting in quarantine. An operator has to approve the sender, except of their own',
    body: newFeed,
    answer: messageCount.extend({ id, isWaiting: z.boolean() }),
  },
  'GET /api/admin/feeds/:id/settings': {
    permission: 'canManageUsers',
    summary: "Get a feed's name, sender and settings",
    params: z.object({ id }),
    answer: feedAsSet,
  },
  'PUT /api/admin/feeds/:id/settings': {
    permission: 'canManageUsers',
    summary: 'Change a feed; a new sender or facility identifier waits until an operator approves it',
    params: z.object({ id }),
    body: feedFields.extend(versionRead),
    answer: feedAsSet,
  },
  'GET /api/admin/feeds/:id/outpatient-codes': {
    permission: 'canManageUsers',
    summary: 'Count the hospital services and patient types of outpatients, and say which probably mean observation',
    params: z.object({ id }),
    answer: outpatientCodes,
  },
  'POST /api/admin/feeds/:id/pause': {
    permission: 'canManageUsers',
    summary: 'Pause a feed: its messages wait in quarantine until it is resumed',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/feeds/:id/resume': {
    permission: 'canManageUsers',
    summary: 'Resume a feed and process the messages waiting in its quarantine',
    params: z.object({ id }),
    answer: messageCount,
  },
  'POST /api/admin/feeds/:id/approve': {
    permission: 'canManageUsers',
    summary:
      'Approve the sender and facilities that wait; operators only. Replays the messages waiting in its quarantine, and returns how many',
    params: z.object({ id }),
    body: z.object({ version: z.string().max(100) }),
    answer: messageCount,
  },
  'POST /api/admin/feeds/:id/decline': {
    permission: 'canManageUsers',
    summary: 'Decline the sender and facilities that wait, which removes a new feed; operators only',
    params: z.object({ id }),
    body: z.object({ version: z.string().max(100) }),
    status: 204,
  },
  'DELETE /api/admin/feeds/:id': {
    permission: 'canManageUsers',
    summary: 'Remove a feed: later messages from its sender belong to no feed',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/feeds': { permission: 'canManageUsers', summary: 'List feeds and their health', answer: z.array(feed) },
  'GET /api/feeds/:id/health': {
    permission: 'canManageUsers',
    summary: 'Get the health of a feed: silence, rate, delay, missing fields, and codes without a mapping',
    params: z.object({ id }),
    answer: feedHealth,
  },
  'GET /api/feeds/unknown-senders': {
    permission: 'canManageUsers',
    summary: 'List senders without a feed; operators only, empty for others',
    answer: z.array(unknownSender),
  },
  'GET /api/feeds/refused-senders': {
    permission: 'canManageUsers',
    summary:
      'List addresses without a feed whose messages were refused in the last two days; operators only, empty for others',
    answer: z.array(refusedSender),
  },
} as const satisfies RouteTable;
