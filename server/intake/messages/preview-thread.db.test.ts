import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { ApiError } from '#server/platform/http/api-error.ts';
import { createLog } from '#server/platform/http/log.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';
import { PreviewThread } from './preview-thread.ts';

const { database, region } = await pipelineScene();
const previews = new PreviewThread({
  file: new URL('../../testing/faulty-preview-thread.ts', import.meta.url),
  url: database.urls.pipeline,
  log: createLog('silent'),
  longestStandstill: 3000,
});
afterAll(() => previews.stop());

async function feedOf(facility: string): Promise<string> {
  const { rows } = await database.pipeline.query<{ id: string }>(
    'select feed_id as id from feed_facilities where group_id = $1',
    [facility],
  );
  return rows[0]?.id ?? '';
}

test('a preview that never ends is refused, and the next one is answered', async () => {
  const { facility, message } = await region();
  const feedId = await feedOf(facility);
  const text = message('A01', '202611200900');
  expect(await previews.preview(feedId, text)).toMatchObject({ outcome: 'facts' });
  await expect(previews.preview(feedId, `${text}${text}`)).rejects.toThrow('Preview one message at a time.');
  await expect(previews.preview(feedId, message('A01', '202611200900', { controlId: 'SPIN' }))).rejects.toThrow(
    'The preview took longer than 3 seconds and was stopped.',
  );
  const again = async (): Promise<unknown> => {
    try {
      return await previews.preview(feedId, text);
    } catch (error) {
      // Until the thread has been replaced.
      if (!(error instanceof ApiError && error.key === 'NOT_READY')) throw error;
      await sleep(100);
      return again();
    }
  };
  expect(await again()).toMatchObject({ outcome: 'facts' });
});
