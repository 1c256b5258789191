/** As the contract has them; its schemas are not loaded in the browser. Characters. */
export const LIMITS = {
  name: 200,
  title: 200,
  program: 200,
  phone: 40,
  fax: 40,
  email: 254,
  plan: 10_000,
  instruction: 2000,
};
/** Bytes. */
export const FORM_MAX_BYTES = 10 * 1024 * 1024;
export const FORM_TYPES = 'application/pdf,image/png,image/jpeg';
