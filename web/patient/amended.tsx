import type { Ping } from '#contract/pings.ts';
import { phraseBefore } from './as-reported.ts';

/** Says that the sender changed an event, and what it was reported as before, unless only other details changed. */
export const Amended = ({ ping }: { ping: Ping }) => (
  <>
    Amended
    {ping.was && (
      <>
        . Before: <s>{phraseBefore(ping)}</s>
      </>
    )}
  </>
);
