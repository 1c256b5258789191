import { z } from 'zod';
import { applicationInfo, me } from '../accounts.ts';
import { PRIMARY_CLINICAL_SETTINGS, type PrimaryClinicalSetting } from '../experiences.ts';
import { id, instant } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const sessionRoutes = {
  'GET /api/me': {
    permission: 'signed-in',
    summary: 'Get the current user, teams and permissions',
    answer: me,
  },
  'PUT /api/users/default-team': {
    permission: 'signed-in',
    summary: 'Set the default team',
    query: z.object({ teamId: id }),
    status: 204,
  },
  'GET /api/application-info': {
    permission: 'public',
    summary: 'Get version, names, contacts and limits',
    answer: applicationInfo,
  },
  'POST /api/session/activity': {
    permission: 'signed-in',
    summary: 'Keep the session alive while the user is active',
    answer: z.object({ endsAt: instant }),
  },
  'GET /api/resources/primary-clinical-settings': {
    permission: 'signed-in',
    summary: 'List primary clinical settings',
    answer: z.array(z.object({ code: z.string(), label: z.string() })),
  },
  'PUT /api/users/primary-clinical-setting': {
    permission: 'signed-in',
    summary: 'Set the primary clinical setting',
    query: z.object({
      primaryClinicalSetting: z.enum(Object.keys(PRIMARY_CLINICAL_SETTINGS) as [PrimaryClinicalSetting]),
    }),
    status: 204,
  },
  'GET /api/demo/mailbox': {
    permission: 'public',
    summary: 'List emails and text messages of a demo installation; 404 elsewhere',
    answer: z.array(
      z.object({
        id,
        sentAt: instant,
        to: z.string(),
        channel: z.enum(['e-mail', 'text']),
        subject: z.string(),
        body: z.string(),
      }),
    ),
  },
} as const satisfies RouteTable;
