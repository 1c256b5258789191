import { runPreviews } from '#server/intake/messages/preview-thread.ts';
import { checkUpload } from '#server/record/documents/about-another.ts';
import { faultyPipeline } from './faulty-pipeline.ts';

await runPreviews(faultyPipeline, checkUpload);
