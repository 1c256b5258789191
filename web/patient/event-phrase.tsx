import type { Ping } from '#contract/pings.ts';
import { eventPhrase } from './phrases.ts';

/** What happened, struck through where the sender retracted it. */
export const EventPhrase = ({ ping }: { ping: Ping }) =>
  ping.state === 'CANCELLED' ? <s>{eventPhrase(ping)}</s> : eventPhrase(ping);
