/**
 * How a sender's messages are read where the HL7 standard leaves the meaning to each site. A feed's row holds, as JSON, the
 * settings that differ from the defaults (`feed-defaults.ts`).
 */
import { z } from 'zod';
import { SETTINGS } from './event-codes.ts';
import { isTimeZone } from './time-zones.ts';

/** A code as the sender writes it, compared in capitals. */
const code = z.string().trim().toUpperCase().min(1).max(100);

/** A rule applies if every code that it names matches. The first rule that applies decides. */
const classRule = z.strictObject({
  /** PV1-2 */
  patientClass: code.optional(),
  /** PV1-10 */
  hospitalService: code.optional(),
  /** PV1-18 */
  patientType: code.optional(),
  setting: z.enum(SETTINGS),
});
export type ClassRule = z.infer<typeof classRule>;

/** How a date such as 03/04/2026 is meant: month first (March 4) or day first (April 3). */
const dateOrder = z.enum(['MDY', 'DMY']);
export type DateOrder = z.infer<typeof dateOrder>;

const unit = z.strictObject({ unit: z.string().trim().min(1).max(100), setting: z.enum(SETTINGS).optional() });

const recordNumber = z.strictObject({
  /** PID-3.4: the authority that issues the facility's record numbers; null accepts any. */
  authority: z.string().trim().min(1).max(200).nullable(),
  /** PID-3.5: identifier types that can be the record number, best first. */
  types: z.array(code),
});

/** Codes that mean observation in a message whose class is that of an outpatient. */
const observationCodes = z.strictObject({
  /** PV1-18 */
  patientTypes: z.array(code).max(100),
  /** PV1-10 */
  hospitalServices: z.array(code).max(100),
});
export type ObservationCodes = z.infer<typeof observationCodes>;

export const feedSettings = z.strictObject({
  /** IANA zone of times that have no offset. */
  timeZone: z.string().max(60).refine(isTimeZone, 'Not an IANA time zone. Example: America/Chicago'),
  /** Null: a date that can be read in two ways is not read. */
  dateOrder: dateOrder.nullable(),
  classMap: z.array(classRule),
  /** Turns the setting OUTPATIENT of the class map into OBSERVATION. */
  observationCodes,
  /** PV1-36 → UB-04 patient discharge status, two digits. */
  dispositionMap: z.record(code, z.string().regex(/^\d{2}$/, 'Enter two digits.')),
  /**
   * PV1-3.1 and PV1-6.1 → the unit's name, and its setting where the unit is more specific than PV1-2, such as an observation
   * unit that the facility sends as class I.
   */
  locationMap: z.record(code, unit),
  recordNumber,
  /** MSH-11: messages with one of these processing IDs are not acted on. */
  testProcessingIds: z.array(code),
});
export type FeedSettings = z.infer<typeof feedSettings>;
