/** The pipeline, except that certain control ids (MSH-10) make it do what must never stop a server. */
import type { Process } from '#server/intake/messages/message-queue.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';

export const faultyPipeline = (clock: Clock): Process => {
  const pipeline = makePipeline(clock);
  return (tx, messages) => {
    for (const { raw } of messages) {
      if (raw.includes('|SPIN')) for (;;);
      if (raw.includes('|DIE')) process.exit(1);
    }
    return pipeline(tx, messages);
  };
};
