/** The thread in which messages are previewed (`intake/messages/preview-thread.ts`). */
import { runPreviews } from './intake/messages/preview-thread.ts';
import { makePipeline } from './pipeline.ts';

await runPreviews(makePipeline);
