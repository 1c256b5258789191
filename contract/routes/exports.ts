import { z } from 'zod';
import { exportJob } from '../exports.ts';
import type { RouteTable } from './route.ts';

export const exportsRoutes = {
  'GET /api/export/recent-export-jobs': {
    permission: 'signed-in',
    summary: 'List your recent exports',
    answer: z.array(exportJob),
  },
} as const satisfies RouteTable;
