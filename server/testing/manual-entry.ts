/** Manual entries in tests where `hosp.send` processes messages: a queue that runs on its own would take them from it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, TestApp } from './app.ts';
import type { TestPerson } from './hospital.ts';

/** Processes what was entered until the call is answered. */
async function processing<T>(app: TestApp, call: Promise<T>): Promise<T> {
  const state = { isAnswered: false };
  const answered = call.finally(() => Object.assign(state, { isAnswered: true }));
  answered.catch(() => {});
  while (!state.isAnswered) {
    await app.queue.drain();
    await sleep(10);
  }
  return answered;
}

export function manualEntry(app: TestApp) {
  /** Enters an admission of the person right now, with other fields than usual. */
  const enter = (client: Client, groupId: string, person: TestPerson, over: Record<string, unknown> = {}) => {
    const body = {
      firstName: person.given,
      lastName: person.family,
      dateOfBirth: person.birthDate,
      status: 'ADMIT' as const,
      eventDate: app.clock.now().toISOString(),
      gender: 'Female' as const,
      zip: person.zip,
      relationship: 'TREATMENT' as const,
      ...over,
    };
    return client.call('POST /api/cohort/:groupId/patients', { params: { groupId }, body });
  };
  return { enter, processing: <T>(call: Promise<T>) => processing(app, call) };
}
