import type { z } from 'zod';
import type { accessRequest, adminGroup, adminRole, adminTeam } from '#contract/admin.ts';

export type AdminTeam = z.infer<typeof adminTeam>;
export type AdminGroup = z.infer<typeof adminGroup>;
export type AdminRole = z.infer<typeof adminRole>;
export type AccessRequest = z.infer<typeof accessRequest>;
