/**
 * Puts hostile values into every field of a message, as a connected hospital could. Each message is acknowledged, and ends as applied or
 * in quarantine with a reason; the next patient's message is applied as if nothing had happened.
 */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { adt, hospital, type TestPerson } from '#server/testing/hospital.ts';
import { HOSTILE_VALUES, isFullAttack } from '#server/testing/hostile.ts';

const app = await startApp();
const { make, database, clock } = app;
const sender = hospital(database, clock.now, make);
const { id: organizationId } = await make.organization();
const facility = await make.group({ organizationId, type: 'HOS' });
await sender.feed(organizationId, { MERCY: facility.id });

const person: TestPerson = { family: 'Quillfeather', given: 'Odette', birthDate: '1938-02-11', sex: 'F', zip: '14850' };

/** Each patient has a name of their own, so that no message is compared with all others. */
const familyOf = (n: number) => `Quill${[...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

/** A message in which every field that is read has a value. */
function fullMessage(n: number): string[][] {
  const segments = [
    `PID|1||R${n}^^^MERCY^MR~P${n}^^^STATE^PI||${familyOf(n)}^Odette^M^Jr^Dr||19380211|F|Alder^Odette||12 Alder Lane^Apt 2^Fairhaven^NY^14850^USA||(607)555-0143^PRN^PH^o@example.com|6075550144|eng|M|CHR|A${n}|123-45-6789||||||||||N|N`,
    'PD1||||1400000018^Ferrow^Rupert',
    'NK1|1|Quillfeather^Basil|SON|12 Alder Lane|6075550145',
    `PV1|1|I|3W^12^A^MERCY|1|P${n}|2W^1^A^MERCY|1400000018^Ferrow^Rupert|1400000026^Ash^Ida|1400000034^Oak^Jo|MED||||1|||1400000042^Elm^Kit|I|V${n}|MCR|||||||||||||||||01|SNF|||MERCY||A|||202611200900|202611201000`,
    'PV2||SEMI|R07.9^Chest pain|||||202611200900|202611230900|3',
    'DG1|1||I50.9^Heart failure^I10|Heart failure|202611200900|A|||||||||1',
    'IN1|1|MCR|00112|Medicare|PO Box 1|||G1||||20260101|20261231|||Quillfeather^Odette|SEL|19380211|12 Alder Lane|||||||||||||||||1EG4TE5MK73',
    'ZPV|1|free|text',
  ];
  return segments.map((segment) => segment.split('|'));
}

const isHit = (position: number, field: number | null) => (field === null ? position > 0 : position === field);

const EVENT = 'EVN|A01|202611200900||||202611200900';
const head = (n: string) => `MSH|^~\\&|TESTADT|MERCY|TIDINGS|TIDINGS|202611200900||ADT^A01|${n}|P|2.5.1`;

/** What gets the value: each field of each segment alone, or in the short form all fields of a segment at once (null). */
const PLACES: readonly (readonly [segment: number, field: number | null])[] = fullMessage(0).flatMap((segment, at) => {
  const fields = isFullAttack ? segment.slice(1).map((_, index) => index + 1) : [null];
  return fields.map((field) => [at, field] as const);
});

test.each(HOSTILE_VALUES.map((value, index) => [index, value] as const))(
  'value %i in any field is acknowledged, settled, and harms no one else',
  { timeout: 300_000 },
  async (index, value) => {
    const texts = PLACES.map(([at, field], n) => {
      const id = index * 1000 + n;
      const segments = fullMessage(id).map((segment, place) =>
        place === at ? segment.map((each, position) => (isHit(position, field) ? value : each)) : segment,
      );
      return [head(`H-${id}`), EVENT, ...segments.map((segment) => segment.join('|')), ''].join('\r');
    });
    const before = Number(await sender.receive());
    // All at once, so that they share transactions as a busy feed's messages do.
    await Promise.all(texts.map((text) => sender.receive(text)));
    const { rows: waiting } = await database.pipeline.query<{ count: number }>(
      'select count(*)::int from messages where id > $1',
      [before],
    );
    expect(waiting[0]?.count).toBe(texts.length);
    await sender.queue.drain();
    const { rows } = await database.pipeline.query<{ status: string; reason: string }>(
      `select distinct status, reason from messages where id > $1 and status not in ('APPLIED', 'DUPLICATE') and reason = ''`,
      [before],
    );
    expect(rows).toEqual([]);
    const { rows: failed } = await database.pipeline.query<{ reason: string }>(
      `select distinct reason from messages where id > $1 and (status = 'PENDING' or reason like 'Processing failed%')`,
      [before],
    );
    expect(failed).toEqual([]);
    const next = await sender.send(
      adt('A01', { at: '202611200905', record: `NEXT-${index}`, visit: `N-${index}`, person }),
    );
    expect(await sender.message(next)).toMatchObject({ status: 'APPLIED' });
  },
);
