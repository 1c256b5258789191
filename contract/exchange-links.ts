/** Links to exchanges, opened by a form that the browser posts, so that nothing about a patient is in a URL. */
import { z } from 'zod';
import { isLinkUrl, LINK_URL_MAX, LINK_URL_PROBLEM } from './exchange-link-words.ts';
import { plainText } from './primitives.ts';
import { US_STATES } from './states.ts';

const MOST_LINK_FIELDS = 20;

const linkField = z.object({ name: plainText(100).trim().min(1), value: plainText(200).trim() });
export type LinkField = z.infer<typeof linkField>;

export const exchangeLink = z.object({
  url: z.string().trim().max(LINK_URL_MAX).refine(isLinkUrl, LINK_URL_PROBLEM),
  fields: z.array(linkField).max(MOST_LINK_FIELDS),
});
export type ExchangeLink = z.infer<typeof exchangeLink>;

/** WISHIN Pulse: offered for patients of these states. */
export const pulseLink = exchangeLink.extend({ states: z.array(z.enum(US_STATES)).max(US_STATES.length) });
export type PulseLink = z.infer<typeof pulseLink>;
