/** The texts of notifications. Counts and a link, and nothing else: no patient, no facility, and not the name of the filter, which its owner typed. */
import type { SearchContext } from '#contract/facets.ts';
import type { Channel, Letter } from '#server/platform/mail/outbox.ts';

export interface Notice {
  kind: 'matches' | 'correction';
  searchContext: SearchContext;
  pings: number;
  uuid: string;
  publicUrl: string;
}

/** What the link says about how it was sent, for usage events. */
const MODALITIES = { 'e-mail': 'EMAIL', text: 'TEXT' } as const satisfies Record<Channel, string>;

/** Returns the link of a notification: opaque, and useless without signing in as its user. */
export const linkOf = ({ uuid, publicUrl }: Pick<Notice, 'uuid' | 'publicUrl'>, channel: Channel): string =>
  `${publicUrl}/notifications/${uuid}?notificationModality=${MODALITIES[channel]}`;

/** What a filter of each list reports, one and several. */
const NOUNS = {
  ALL: ['ping', 'pings'],
  PINGS: ['ping', 'pings'],
  EVENTS: ['event', 'events'],
} as const satisfies Record<SearchContext, readonly [string, string]>;

function sentenceOf({ kind, searchContext, pings }: Notice): string {
  const [one, many] = NOUNS[searchContext];
  if (kind === 'correction') {
    return pings === 1
      ? `A correction was made to ${one === 'event' ? 'an' : 'a'} ${one} you were notified about`
      : `Corrections were made to ${pings} ${many} you were notified about`;
  }
  return pings === 1 ? `1 new ${one} matches a saved filter` : `${pings} new ${many} match a saved filter`;
}

/** Returns subject and body for a channel. */
export function textOf(notice: Notice, channel: Channel): Pick<Letter, 'subject' | 'body'> {
  const sentence = sentenceOf(notice);
  const link = linkOf(notice, channel);
  if (channel === 'text') return { subject: '', body: `Tidings: ${sentence}. ${link} Reply STOP to opt out.` };
  const lines = [
    `${sentence}.`,
    `${notice.kind === 'correction' && notice.pings === 1 ? 'Open the patient' : 'Open the list'}:\n${link}`,
    `You get this email because you asked for it in Tidings. To change or mute notifications: ${notice.publicUrl}/user-profile`,
  ];
  return { subject: sentence, body: `${lines.join('\n\n')}\n` };
}
