/** What the address and the fields of a link to an exchange can be. Without zod: the browser loads it as it is. */

export const LINK_URL_MAX = 500;
/** What a field's value may contain; each is replaced by what is known about the patient, or by nothing. */
export const LINK_PLACEHOLDERS = ['firstName', 'lastName', 'dateOfBirth', 'gender', 'zip', 'memberId'] as const;
export type LinkPlaceholder = (typeof LINK_PLACEHOLDERS)[number];

export const LINK_URL_PROBLEM = 'Enter an https:// address without ? or #.';
/** Whether it is an https address without user, query and fragment. */
export const isLinkUrl = (text: string): boolean =>
  /^https:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text) && URL.canParse(text);
