import { recordSettings, recordSettingsChange } from '../record-settings.ts';
import type { RouteTable } from './route.ts';

export const recordSettingsRoutes = {
  'GET /api/admin/record-settings': {
    permission: 'canManageUsers',
    summary: "Get what the organization decides about its patients' records",
    answer: recordSettings,
  },
  'PUT /api/admin/record-settings': {
    permission: 'canManageUsers',
    summary: "Decide about the organization's patients' records; needs an administrator of all its groups",
    body: recordSettingsChange,
    answer: recordSettings,
  },
} as const satisfies RouteTable;
