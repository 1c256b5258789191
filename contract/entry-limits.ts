/** The longest texts that staff of a facility enter about a patient, in characters. Without zod: the browser loads it as it is. */
export const ENTRY_LIMITS = {
  name: 100,
  suffix: 20,
  record: 60,
  line: 200,
  city: 100,
  state: 30,
  zip: 10,
  phone: 30,
  medicare: 20,
} as const;
