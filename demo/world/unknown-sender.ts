/** A hospital that has begun to send before anyone has set up a feed for it: an operator finds its messages in quarantine. */
import { HOUR, hl7Time } from './clock.ts';
import { components, segment } from './hl7-segments.ts';
import { FAMILY_NAMES, FEMALE_NAMES } from './names.ts';
import { makeRandom } from './random.ts';

/** How long before the end of the period its first messages came, and how many there are. */
const BEGAN_HOURS_AGO = 30;
const PATIENTS = 6;

/** Returns an arrival for each of a few patients, in the day before `to` (milliseconds since 1970). */
export function unknownSendersMessages({ seed, to }: { seed: string; to: number }): { at: number; bytes: Buffer }[] {
  const random = makeRandom(`${seed}/unknown sender`);
  return Array.from({ length: PATIENTS }, (_, index) => {
    const at = to - (BEGAN_HOURS_AGO - 4 * index) * HOUR;
    const time = hl7Time(at, 'America/New_York', { seconds: true, offset: true });
    const id = `GH-${1001 + index}`;
    const name = components(random.pick(FAMILY_NAMES), random.pick(FEMALE_NAMES));
    const segments = [
      `MSH|^~\\&|GANNET_ADT|GANNET|TIDINGS||${time}||ADT^A04^ADT_A01|${id}-1|P|2.5.1`,
      segment('EVN', { 1: 'A04', 2: time }),
      segment('PID', { 1: '1', 3: components(id, '', '', 'GANNET', 'MR'), 5: name, 7: '19510407', 8: 'F' }),
      segment('PV1', { 1: '1', 2: 'E', 3: components('ED', '', '', 'GANNET'), 19: `${id}-V`, 44: time }),
    ];
    return { at, bytes: Buffer.from(`${segments.join('\r')}\r`) };
  });
}
