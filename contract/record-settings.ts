/** What an organization decides about its patients' records. */
import { z } from 'zod';
import { LINK_URL_MAX } from './exchange-link-words.ts';
import { exchangeLink, pulseLink } from './exchange-links.ts';
import { realDay } from './primitives.ts';
import { risingRiskRule } from './rising-risk.ts';

/** How many days an organization may add to its calendar, and how many federal holidays it may leave out. */
export const MOST_HOLIDAYS = 100;
/** An https address without a user. */
export const isEmbeddable = (text: string): boolean =>
  /^https:\/\/[^\s/?#@]+(\/[^\s#]*)?$/.test(text) && URL.canParse(text);

const days = z.array(realDay).max(MOST_HOLIDAYS);

export const recordSettings = z.object({
  /** Whether users elsewhere who list a patient may open the patient's visits at its facilities in an emergency. */
  allowsEmergencyAccess: z.boolean(),
  /** Where WISHIN Pulse and Vynca are opened; null where they are not used. */
  pulse: pulseLink.nullable(),
  vynca: exchangeLink.nullable(),
  /** Its business days, on which due days depend: Monday to Friday without the federal holidays, unless these say otherwise. */
  holidays: z.object({
    /** Further days on which it is closed. */
    added: days,
    /** Federal holidays on which it works. */
    removed: days,
  }),
  /** By which rule its teams list people as rising risk; null for the product's own. */
  risingRisk: risingRiskRule.nullable(),
  /** The page of another system, such as Tableau, among its spotlights; null for none. */
  embeddedSpotlights: z.string().trim().max(LINK_URL_MAX).refine(isEmbeddable, 'Enter an https:// address.').nullable(),
});
export type RecordSettings = z.infer<typeof recordSettings>;

/** A change: what is absent stays as it is. */
export const recordSettingsChange = recordSettings.partial();
export type RecordSettingsChange = z.infer<typeof recordSettingsChange>;
