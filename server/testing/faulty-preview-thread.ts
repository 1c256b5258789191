import { runPreviews } from '#server/intake/messages/preview-thread.ts';
import { faultyPipeline } from './faulty-pipeline.ts';

await runPreviews(faultyPipeline);
