import type { StayCard } from '#contract/pings.ts';
import { formatDate } from '../ui/format/date.ts';

type Waiting = { until: string | null } | null;

/** Returns how a wait is shown; null for none. */
export const waitingPhrase = (waiting: Waiting): string | null =>
  waiting && (waiting.until === null ? 'Waiting for a new event' : `Waiting until ${formatDate(waiting.until)}`);

/** Returns who has taken a stay and whether it waits, as a row says it. `userId`: the reader. */
export const workPhrase = (card: Pick<StayCard, 'work'> | null, userId: string): string | null => {
  const { owner, waiting } = card?.work ?? { owner: null, waiting: null };
  const taken = owner && `Taken by ${owner.id === userId ? 'you' : owner.name}`;
  return [waitingPhrase(waiting), taken].filter(Boolean).join(' · ') || null;
};
