import { DAY, MINUTE } from './clock.ts';
import { makeRandom } from './random.ts';
import type { Visit } from './visit.ts';

/** One transmission of a step's message. A duplicate is a second one. */
export interface Delivery {
  step: number;
  /** When the sender sends it, in milliseconds. */
  at: number;
  /** MSH-7 */
  writtenAt: number;
  controlId: string;
  /** The same bytes sent again, as after a lost acknowledgment. */
  isDuplicate: boolean;
  /** Sent more than 72 hours after the event. */
  isLate: boolean;
}

/** Returns the MSH-10 of a step's message, at most 20 characters (HL7 v2.3). */
export const controlIdOf = (visit: Visit, step: number) =>
  `${visit.initial.visitNumber.slice(1)}${String(step + 1).padStart(2, '0')}`;

/**
 * Returns how a visit's messages reach us: most within two minutes, and some days late, twice, in the wrong order, or with a control id
 * that was already used. Whatever happens before `to` is also sent before `to`.
 */
export function deliveriesOf(seed: string, visit: Visit, to: number): Delivery[] {
  if (visit.isManual) return [];
  const random = makeRandom(`${seed}/delivery/${visit.id}`);
  const deliveries = visit.steps.map((step, index): Delivery => {
    const at = Math.min(step.at + random.int(2, 100) * 1000, to);
    return {
      step: index,
      at,
      writtenAt: step.at + 1000,
      controlId: controlIdOf(visit, index),
      isDuplicate: false,
      isLate: false,
    };
  });
  const anyDelivery = () => random.pick(deliveries);
  if (random.chance(0.025)) {
    const late = anyDelivery();
    const at = late.at + random.int(4 * 1440, 8 * 1440) * MINUTE;
    if (at <= to) Object.assign(late, { at, isLate: true, writtenAt: random.chance(0.5) ? at : late.writtenAt });
  }
  if (deliveries.length > 1 && random.chance(0.04)) {
    const first = random.int(0, deliveries.length - 2);
    const [one, other] = deliveries.slice(first, first + 2) as [Delivery, Delivery];
    // The two are written in order and sent in reverse, but not if they are a day or more apart: the first would then be late.
    if (other.at - one.at < DAY) one.at = Math.min(other.at + 1000, to);
  }
  if (deliveries.length > 1 && random.chance(0.015)) {
    const second = random.int(1, deliveries.length - 1);
    (deliveries[second] as Delivery).controlId = (deliveries[second - 1] as Delivery).controlId;
  }
  if (random.chance(0.03)) {
    const twice = anyDelivery();
    const at = twice.at + random.int(10, 90) * 1000;
    if (at <= to) deliveries.push({ ...twice, at, isDuplicate: true });
  }
  return deliveries;
}
