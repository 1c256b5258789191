/** Emergency access ("break the glass"): visits that a patient's listing does not open, for an hour (docs/decisions/0060). */
import { z } from 'zod';
import { id, instant, instantOrDay, patientId, plainText } from './primitives.ts';

export const EMERGENCY_MINUTES = 60;
export const EMERGENCY_REASON_LIMIT = 500;
/** A few words say what happened; "a" or "......" does not. */
const REASON_LETTERS = 10;
const REASON_DIFFERENT_LETTERS = 5;
export const EMERGENCY_REASON_MISSING = `Say what the emergency is, in at least ${REASON_LETTERS} letters.`;

/** How many patients a user opens in an hour and in a day. */
export const MOST_EMERGENCIES = { hour: 5, day: 15 } as const;

function isReason(text: string): boolean {
  const letters = text.toLowerCase().match(/\p{L}/gu) ?? [];
  return letters.length >= REASON_LETTERS && new Set(letters).size >= REASON_DIFFERENT_LETTERS;
}

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

/** An emergency access that opened visits at the administrator's facilities. The reader is not named. */
export const emergencyAtFacility = z.object({
  id,
  date: instant,
  /** The reader's organization. */
  organization: z.string(),
  facilities: z.array(z.string()),
  /** The patient as the facilities list them; null if none of them does any more. */
  patientId: patientId.nullable(),
  reason: z.string(),
  isMedicalEmergency: z.boolean(),
});
export type EmergencyAtFacility = z.infer<typeof emergencyAtFacility>;

export const newEmergencyAccess = z.object({
  reason: plainText(EMERGENCY_REASON_LIMIT).trim().refine(isReason, EMERGENCY_REASON_MISSING),
  /** The user states that it is a medical emergency, in which consent cannot be obtained: opens 42 CFR Part 2 facilities' visits too. */
  isMedicalEmergency: z.boolean(),
});
export type NewEmergencyAccess = z.infer<typeof newEmergencyAccess>;
