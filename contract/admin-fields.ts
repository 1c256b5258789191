/**
 * Rules for the texts that administrators enter: the longest one accepted, and the message if a required one is missing. Without zod, so
 * that forms and routes share them while the pages load no schemas (docs/decisions/0004).
 */
export interface TextRule {
  max: number;
  required: string;
}

export const USER_TEXTS = {
  firstName: { max: 100, required: 'Enter a first name.' },
  lastName: { max: 100, required: 'Enter a last name.' },
} as const satisfies Record<string, TextRule>;
export const USER_TITLE_MAX = 100;
/** The longest email address that mail servers accept (RFC 5321). */
export const USERNAME_MAX = 254;

export const TEAM_TEXTS = {
  name: { max: 200, required: 'Enter a name.' },
  abbreviation: { max: 20, required: 'Enter an abbreviation.' },
} as const satisfies Record<string, TextRule>;
export const TEAM_GROUPS_REQUIRED = 'Choose at least one group.';

export const GROUP_TEXTS = { name: { max: 200, required: 'Enter a name.' } } as const satisfies Record<
  string,
  TextRule
>;
export const ROLE_TEXTS = { name: { max: 100, required: 'Enter a name.' } } as const satisfies Record<string, TextRule>;
export const CONNECTION_TEXTS = { name: { max: 100, required: 'Enter a name.' } } as const satisfies Record<
  string,
  TextRule
>;
export const CLIENT_SECRET_MAX = 2000;
/** The TXT record that proves control of an email domain begins so, and goes on with '=' and the token. */
export const DOMAIN_RECORD = 'tidings-domain-verification';

export const FEED_TEXTS = { name: { max: 200, required: 'Enter a name.' } } as const satisfies Record<string, TextRule>;
export const FEED_FACILITIES_REQUIRED = 'Add at least one facility.';
