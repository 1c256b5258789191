/** What an organization decides about its patients' records. */
import { z } from 'zod';

export const recordSettings = z.object({
  /** Whether users elsewhere who list a patient may open the patient's visits at its facilities in an emergency. */
  allowsEmergencyAccess: z.boolean(),
});
export type RecordSettings = z.infer<typeof recordSettings>;
