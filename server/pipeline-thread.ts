/** The thread in which messages are processed (`intake/messages/queue-thread.ts`). */
import { runQueue } from './intake/messages/queue-thread.ts';
import { makePipeline } from './pipeline.ts';

await runQueue(makePipeline);
