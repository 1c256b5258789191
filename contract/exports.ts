/** Export jobs of a user. Only their list exists so far. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

export const exportJob = z.object({
  id,
  name: z.string(),
  modifiedAt: instant,
  inProgress: z.boolean(),
  failed: z.boolean(),
});
export type ExportJob = z.infer<typeof exportJob>;
