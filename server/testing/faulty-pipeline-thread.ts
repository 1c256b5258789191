import { runQueue } from '#server/intake/messages/queue-thread.ts';
import { faultyPipeline } from './faulty-pipeline.ts';

await runQueue(faultyPipeline);
