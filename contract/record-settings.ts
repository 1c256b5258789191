/** What an organization decides about its patients' records. */
import { z } from 'zod';
import { exchangeLink, pulseLink } from './exchange-links.ts';

export const recordSettings = z.object({
  /** Whether users elsewhere who list a patient may open the patient's visits at its facilities in an emergency. */
  allowsEmergencyAccess: z.boolean(),
  /** Where WISHIN Pulse and Vynca are opened; null where they are not used. */
  pulse: pulseLink.nullable(),
  vynca: exchangeLink.nullable(),
});
export type RecordSettings = z.infer<typeof recordSettings>;

/** A change: what is absent stays as it is. */
export const recordSettingsChange = recordSettings.partial();
export type RecordSettingsChange = z.infer<typeof recordSettingsChange>;
