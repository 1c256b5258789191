import type { Ping } from '#contract/pings.ts';
import { eventPhrase, type PhrasedEvent } from './phrases.ts';

/** Returns what the sender did to the event since it was first reported; empty if nothing. */
export const correctionWord = ({ state }: Pick<Ping, 'state'>): string =>
  ({ ACTIVE: '', AMENDED: ' Amended', CANCELLED: ' Canceled' })[state];

/** What happened, struck through where the sender retracted it. */
export const EventPhrase = ({ ping }: { ping: PhrasedEvent & Pick<Ping, 'state'> }) =>
  ping.state === 'CANCELLED' ? <s>{eventPhrase(ping)}</s> : eventPhrase(ping);
