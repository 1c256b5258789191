import type { Patient } from '#contract/patients.ts';
import type { ManagementStatusRecord, Ping } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { track } from '../usage/track-later.ts';
import { type Choice, whileSaving } from './status-change.ts';

/** How a toast names a patient: it outlives the page that it is about. */
export const nameOf = ({ lastName }: Patient): string => lastName.toLocaleUpperCase('en-US');

/** Saves a status change of pings that have these records, all or none, and returns the records that the server made, by event. */
export const saveStatuses = async (
  { id: patientId }: Patient,
  pings: readonly Pick<Ping, 'eventIdentifier' | 'status' | 'currentManagementStatus'>[],
  choice: Choice,
): Promise<Map<string, ManagementStatusRecord>> => {
  const params = { id: patientId };
  const eventIdentifiers = pings.map(({ eventIdentifier }) => eventIdentifier);
  const expectedStatusIds = pings.map(({ currentManagementStatus: { id } }) => id);
  const [eventIdentifier = ''] = eventIdentifiers;
  const [expectedStatusId] = expectedStatusIds;
  const path = 'POST /api/patients/:id/events/management-status';
  const saved = await whileSaving([patientId], async () =>
    pings.length > 1
      ? call(`${path}/bulk`, { params, body: { ...choice, eventIdentifiers, expectedStatusIds } })
      : [
          {
            eventIdentifier,
            ...(await call(path, { params, body: { ...choice, eventIdentifier, expectedStatusId } })),
          },
        ],
  );
  for (const { eventIdentifier: id, status: eventCode, currentManagementStatus: before } of pings) {
    const event = { patientId, eventIdentifier: id, eventCode, status: choice.status, previousStatus: before.status };
    track('ping-status-changed', { params: event });
  }
  return new Map(saved.map(({ eventIdentifier: id, ...record }) => [id, record]));
};
