import type { PatientContext } from './acts.ts';
import { HOUR, isAmbiguous, MINUTE } from './clock.ts';
import type { Visit } from './visit.ts';

/** Returns an instant `low` to `high` minutes later, never in the hours of fall whose local time is ambiguous. */
export function later(context: PatientContext, from: number, low: number, high: number): number {
  const at = from + context.random.int(low, high) * MINUTE + context.random.int(-20, 20) * 1000;
  return isAmbiguous(at, 'America/New_York') || isAmbiguous(at, 'America/Chicago') ? at + 3 * HOUR : at;
}

/** The course of one visit. It keeps the current time, so that a script lists what happens next. */
export class Course {
  readonly context: PatientContext;
  readonly visit: Visit;
  now: number;

  constructor(context: PatientContext, visit: Visit, at: number) {
    this.context = context;
    this.visit = visit;
    this.now = at;
  }

  /** Moves on by `low` to `high` minutes, and returns the new time. */
  after(low: number, high: number): number {
    this.now = later(this.context, this.now, low, high);
    return this.now;
  }

  /** Moves on by `low` to `high` days, and returns the new time. */
  daysAfter(low: number, high: number): number {
    return this.after(low * 1440, high * 1440);
  }
}
