/** Emergency access ("break the glass"): visits that a patient's listing does not open, for an hour (docs/decisions/0060). */
import { z } from 'zod';
import { instant, instantOrDay, patientId, plainText } from './primitives.ts';

export const EMERGENCY_MINUTES = 60;
export const EMERGENCY_REASON_LIMIT = 500;

/** A visit that is open because of an emergency access. */
export const emergencyVisit = z.object({
  /** The id of the patient's page about this visit. */
  patientId,
  facilityName: z.string(),
  isPart2Facility: z.boolean(),
  admittedDate: instantOrDay.nullable(),
});

export const emergencyAccess = z.object({
  /** Whether any organization allows it. Says nothing about this patient. */
  isOffered: z.boolean(),
  /** When the user's access ends; null if there is none. */
  endsDate: instant.nullable(),
  visits: z.array(emergencyVisit),
});
export type EmergencyAccess = z.infer<typeof emergencyAccess>;

export const newEmergencyAccess = z.object({
  reason: plainText(EMERGENCY_REASON_LIMIT).trim().min(1, 'Enter a reason.'),
  /** The user states that it is a medical emergency, in which consent cannot be obtained: opens 42 CFR Part 2 facilities' visits too. */
  isMedicalEmergency: z.boolean(),
});
export type NewEmergencyAccess = z.infer<typeof newEmergencyAccess>;
