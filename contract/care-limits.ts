/** Limits of care-team records, instructions and their forms. Without zod: the browser loads it as it is. */

/** Characters. */
export const CARE_LIMITS = {
  name: 200,
  title: 200,
  program: 200,
  phone: 40,
  email: 254,
  plan: 10_000,
  instruction: 2000,
} as const;
/** Bytes. */
export const FORM_MAX_BYTES = 10 * 1024 * 1024;
export const FORM_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type FormType = (typeof FORM_TYPES)[number];
