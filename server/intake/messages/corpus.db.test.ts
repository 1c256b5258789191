/**
 * Sends all messages that other projects made to show a quirk over one connection into the real intake. They are not part of this
 * repository. Without their folder these tests are skipped, and their title says so.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { startIntake } from '#server/testing/intake.ts';
import { mllpClient } from '#server/testing/mllp-client.ts';

const FOLDER = new URL('../../../../shared/samples/hl7v2/', import.meta.url);
const isThere = existsSync(FOLDER);
const files = isThere ? readdirSync(FOLDER).filter((file) => file.endsWith('.hl7')) : [];
const samples = files.map((file) => ({ file, bytes: readFileSync(new URL(file, FOLDER)) }));

interface ExpectedAnswer {
  /** MSA-1 of each acknowledgement, in order. */
  codes: string[];
  /** MSH-10 as it was sent. */
  controlId: string;
}

/** Returns what the first header asks for, read in the simplest way: by splitting its line at the character after MSH. */
function expectedAnswer(bytes: Buffer): ExpectedAnswer {
  const line = /(?:^|[\r\n\v])[ \t]*(?:\ufeff)?(MSH[^A-Za-z0-9\s][^\r\n]*)/i.exec(bytes.toString('utf8'))?.[1];
  if (line === undefined) return { codes: ['AE'], controlId: '' };
  const fields = line.split(line[3] ?? '|');
  const field = (number: number) => (fields[number - 1] ?? '').trim();
  const isWanted = (condition: string) => condition === 'AL' || condition === 'SU';
  const [accept, application] = [field(15), field(16)];
  const conditions = ['AL', 'NE', 'ER', 'SU'];
  const codes =
    conditions.includes(accept) || conditions.includes(application)
      ? [...(isWanted(accept) ? ['CA'] : []), ...(isWanted(application) ? ['AA'] : [])]
      : ['AA'];
  return { codes, controlId: field(10) };
}

/** Returns MSA-1 and MSA-2 of an acknowledgement. */
function acknowledged(text: string): { code: string; controlId: string } {
  const separator = text[3] ?? '|';
  const [, code = '', controlId = ''] = (/\rMSA[^\r]*/.exec(text)?.[0] ?? '').split(separator);
  return { code, controlId: controlId.trim() };
}

const title = `the sample messages${isThere ? '' : ' (skipped: ../shared/samples does not exist)'}`;

describe.skipIf(!isThere).each([
  { settings: {}, what: 'with the default settings' },
  { settings: { testProcessingIds: [] }, what: 'with test messages applied' },
])(`${title}, $what`, async ({ settings }) => {
  const database = await testDatabase();
  const clock = () => new Date('2026-11-20T15:00:00Z');
  const make = factories(database.pipeline, clock);
  const { listener, queue } = await startIntake(database.pipeline, clock);

  async function catchAll(): Promise<void> {
    const facility = await make.group({ type: 'HOS' });
    await database.pipeline.query(
      `with feed as (
         insert into feeds (organization_id, name, kind, settings, created_at, approved_at)
         values ($1, 'Everything', 'MLLP', $2, $3, $3) returning id)
       insert into feed_facilities (feed_id, identifier, group_id) select id, '*', $4 from feed`,
      [facility.organizationId, JSON.stringify(settings), clock(), facility.id],
    );
  }

  test('get the acknowledgements that they request on one connection, and each message gets an outcome with a reason', async () => {
    await catchAll();
    const client = await mllpClient(listener.port);
    const expected = samples.flatMap(({ file, bytes }) => {
      const { codes, controlId } = expectedAnswer(bytes);
      return codes.map((code) => ({ file, code, controlId }));
    });
    client.socket.write(Buffer.concat(samples.map(({ bytes }) => encodeFrame(bytes))));
    const answers = await client.acknowledgements(expected.length);
    expect(answers.map((answer, index) => ({ file: expected[index]?.file, ...acknowledged(answer) }))).toEqual(
      expected,
    );

    await queue.drain();
    const { rows } = await database.pipeline.query<{ status: string; reason: string; controlId: string; type: string }>(
      'select status, reason, control_id as "controlId", message_type as type from messages order by id',
    );
    expect(rows.length).toBeGreaterThanOrEqual(samples.length);
    for (const row of rows) {
      expect(row, `${row.type} ${row.controlId}`).toMatchObject({
        status: expect.stringMatching(/^(APPLIED|NOT_ACTED_ON|QUARANTINED|DUPLICATE)$/),
        reason: expect.stringMatching(/\S/),
      });
    }

    client.socket.write(encodeFrame(Buffer.from('MSH|^~\\&|A|B|C|D|20261120||ADT^A01|STILL-THERE|P|2.5.1\r')));
    const after = (await client.acknowledgements(expected.length + 1)).at(-1) ?? '';
    expect(acknowledged(after)).toEqual({ code: 'AA', controlId: 'STILL-THERE' });
    client.close();
  });
});
