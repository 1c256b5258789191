/** The thread in which messages are previewed and uploaded documents are checked (`intake/messages/preview-thread.ts`). */
import { runPreviews } from './intake/messages/preview-thread.ts';
import { makePipeline } from './pipeline.ts';
import { checkUpload } from './record/documents/about-another.ts';

await runPreviews(makePipeline, checkUpload);
