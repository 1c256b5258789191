import { expect, test } from 'vitest';
import { receiveFrame } from '#server/intake/mllp/receive-frame.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { hosp, region, database, clock } = await pipelineScene();

test('a name that a backtracking expression never ends on is applied', async () => {
  const { message } = await region();
  const person = newPerson({ given: `${'BABYBOY'.repeat(28)}X` });
  const id = await hosp.send(message('A01', '202611200900', { person }));
  expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED' });
});

test('a name of 200,000 characters is quarantined, and stored nowhere else', async () => {
  const { message, facility } = await region();
  const person = newPerson({ family: 'A'.repeat(200_000) });
  const id = await hosp.send(message('A01', '202611200900', { person }));
  expect(await hosp.message(id)).toMatchObject({
    status: 'QUARANTINED',
    reason: expect.stringMatching(/^PID-5 has a component longer than 250 characters\./),
  });
  const { rows } = await database.pipeline.query('select from source_patients where group_id = $1', [facility]);
  expect(rows).toEqual([]);
});

test('a control id that no index can hold is acknowledged, and its message quarantined', async () => {
  const { message } = await region();
  const controlId = Array.from({ length: 9000 }, (_, n) => (n * 7919).toString(36)).join('');
  const text = message('A01', '202611200900', { controlId });
  const { answer } = await receiveFrame(
    Buffer.from(text),
    { remote: '127.0.0.1:40000', address: '127.0.0.1' },
    { store: hosp.store, clock },
  );
  const [ack] = await answer;
  expect(ack?.toString()).toContain('MSA|AA|');
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query('select status, reason from messages order by id desc limit 1');
  expect(rows[0]).toMatchObject({
    status: 'QUARANTINED',
    reason: expect.stringMatching(/^MSH-10 has a component longer/),
  });
});

test('a message of millions of empty segments is quarantined without being read', async () => {
  const { message } = await region();
  const text = `${message('A01', '202611200900')}\r${'Z|\r'.repeat(3_000_000)}`;
  const id = await hosp.send(text);
  expect(await hosp.message(id)).toMatchObject({
    status: 'QUARANTINED',
    reason: expect.stringMatching(/^The message has more than 100,000 lines\./),
  });
});
