import { expect, it } from 'vitest';
import { fact } from '#server/testing/facts.ts';
import { inRepeatedHour } from './repeated-hour.ts';
import { readMoment } from './time.ts';

const ZONE = 'America/New_York';
const at = (time: string) => readMoment(`20261101${time}`, { timeZone: ZONE, dateOrder: null }).moment;
const { adt } = fact('A03', '1');

/** Returns the times of discharge and of the message, in UTC. */
function read(admitted: string, discharged: string) {
  const visit = { admittedAt: at(admitted), dischargedAt: at(discharged) };
  const shifted = inRepeatedHour({ ...adt, sentAt: at(discharged), recordedAt: null, occurredAt: null, visit }, ZONE);
  return [shifted.visit?.dischargedAt, shifted.sentAt].map((moment) => moment?.instant.slice(11, 16));
}

it.each([
  ['before the arrival, in the second pass', '0130', '0110', ['06:10', '06:10']],
  ['after the arrival, in the first', '0110', '0130', ['05:30', '05:30']],
  ['after the hour, as it is', '0130', '0210', ['07:10', '07:10']],
  ['before an arrival after the hour, as it is', '0230', '0110', ['05:10', '05:10']],
  ['before the hour, as it is', '0130', '0030', ['04:30', '04:30']],
  ['with an offset, as it says', '0130-0400', '0110-0500', ['06:10', '06:10']],
  ['with the offset of the first pass, as it says', '0130-0500', '0110-0400', ['05:10', '05:10']],
  ['without an offset, after an arrival that has one', '0130-0500', '0150', ['06:50', '06:50']],
])('a time of the hour that comes twice is read %s', (_, admitted, discharged, expected) => {
  expect(read(admitted, discharged)).toEqual(expected);
});
