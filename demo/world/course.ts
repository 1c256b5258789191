import type { Scene } from './acts.ts';
import { HOUR, isAmbiguous, MINUTE } from './clock.ts';
import type { Visit } from './visit.ts';

/** An instant so many minutes later, never in the hours of autumn that a local clock of the region shows twice. */
export function later(scene: Scene, from: number, low: number, high: number): number {
  const at = from + scene.random.int(low, high) * MINUTE + scene.random.int(-20, 20) * 1000;
  return isAmbiguous(at, 'America/New_York') || isAmbiguous(at, 'America/Chicago') ? at + 3 * HOUR : at;
}

/** The course of one visit: keeps the time, so that scripts read as what happens next. */
export class Course {
  readonly scene: Scene;
  readonly visit: Visit;
  now: number;

  constructor(scene: Scene, visit: Visit, at: number) {
    this.scene = scene;
    this.visit = visit;
    this.now = at;
  }

  /** So many minutes after what happened last. */
  after(low: number, high: number): number {
    this.now = later(this.scene, this.now, low, high);
    return this.now;
  }

  /** So many days after what happened last. */
  daysAfter(low: number, high: number): number {
    return this.after(low * 1440, high * 1440);
  }
}
