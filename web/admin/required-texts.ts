import type { TextRule } from '#contract/admin-fields.ts';

/** Returns the message for each required text that is empty, by field. */
export const missingTexts = <T extends Record<string, TextRule>>(
  rules: T,
  values: Record<keyof T & string, string>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(rules).map(([name, { required }]) => [name, values[name]?.trim() ? undefined : required]),
  );
