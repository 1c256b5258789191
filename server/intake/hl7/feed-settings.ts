/**
 * What one sender's messages mean where the standard leaves it to the sites. A feed's row keeps it as JSON.
 */
import { z } from 'zod';
import { SETTINGS } from '#contract/event-codes.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { isTimeZone } from '#server/platform/calendar/time-zone.ts';

export { type ClassRule, DEFAULT_FEED_SETTINGS, type FeedSettings } from '#contract/feed-settings.ts';

const code = z.string().trim().toUpperCase().min(1).max(100);

/** All that is named must agree (without regard to case); the first rule that agrees decides. */
const classRuleSchema = z.strictObject({
  /** PV1-2 */
  patientClass: code.optional(),
  /** PV1-10 */
  hospitalService: code.optional(),
  /** PV1-18 */
  patientType: code.optional(),
  setting: z.enum(SETTINGS),
});

const recordNumberSchema = z.strictObject({
  /** PID-3.4: the authority whose identifier is the facility's record number, where a sender puts several in PID-3. */
  authority: z.string().trim().min(1).max(200).nullable(),
  /** PID-3.5: the types that may be the record number, best first. */
  types: z.array(code),
});

export const feedSettingsSchema = z.strictObject({
  /** IANA zone of times without an offset. */
  timeZone: z.string().refine(isTimeZone, 'is not an IANA time zone'),
  classMap: z.array(classRuleSchema),
  /** PV1-36 as the sender writes it (capitals) → UB-04 patient discharge status, two digits. */
  dispositionMap: z.record(code, z.string().regex(/^\d{2}$/)),
  /**
   * PV1-3.1 and PV1-6.1 as the sender writes them (capitals) → the unit's name, and the setting where the unit says more than PV1-2:
   * an observation unit in a hospital that sends its patients as class I.
   */
  locationMap: z.record(
    code,
    z.strictObject({ unit: z.string().trim().min(1).max(100), setting: z.enum(SETTINGS).optional() }),
  ),
  recordNumber: recordNumberSchema,
  /** MSH-11: messages with one of these are not acted on. */
  testProcessingIds: z.array(code),
}) satisfies z.ZodType<FeedSettings>;
