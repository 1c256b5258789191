import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { ENTRY_LIMITS } from '#contract/entry-limits.ts';
import { EVENT_LABELS, type EventCode, startsVisit } from '#contract/event-codes.ts';
import type { Facility, Ping } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { instantOf, localOf } from '../forms/local-time.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { firstChoices, laterChoices } from './entry-fields.ts';
import { WhenFields } from './patient-drawer.tsx';

interface Values {
  status: string;
  date: string;
  time: string;
  dischargedTo: string;
}

/** The patient and the visit after a change. */
export interface Changed {
  patientId: string;
}

/** Words that the server understands (server/intake/hl7/dispositions.ts), which other places leave to the reader. */
const DESTINATIONS = [
  'Home',
  'Home with home health',
  'Assisted living',
  'Skilled nursing facility',
  'Hospital',
  'Hospice',
  'Left against medical advice',
];

const ENDS: ReadonlySet<string> = new Set(['DISCHARGE', 'ENDED_SERVICES']);

const valuesOf = (event: Ping | null, timeZone: string): Values => ({
  status: event?.status ?? '',
  ...localOf(event?.eventDate ?? new Date().toISOString(), timeZone),
  ...(event ? {} : { time: '' }),
  dischargedTo: event?.dischargedTo ?? '',
});

type Choice = ReturnType<typeof firstChoices>[number];

/** Returns what an event can become; its own code also if it was entered before the facility had its type. */
const ownChoices = (code: EventCode, first: readonly Choice[], later: readonly Choice[]): Choice[] => {
  const fit = startsVisit(code) ? first : later;
  return fit.some(({ value }) => value === code) ? [...fit] : [{ value: code, label: EVENT_LABELS[code] }, ...fit];
};

/** The form of an event of a visit: a new one, which updates the patient's status, or one to correct or delete. */
export const EventDrawer = ({
  patientId,
  event,
  facility,
  isOver,
  saved,
  close,
}: {
  patientId: string;
  /** Null for a new one. */
  event: Ping | null;
  facility: Facility;
  /** The visit has ended: only a new visit can follow. */
  isOver: boolean;
  saved: (message: string, changed: Changed) => void;
  close: () => void;
}) => {
  const { timeZone } = facility;
  const destinations = useId();
  const [first, later] = [firstChoices(facility), laterChoices(facility)];
  const choices = event ? ownChoices(event.status, first, later) : isOver ? [...first, ...later] : [...later, ...first];
  const form = useForm<Values, Changed>({
    initial: valuesOf(event, timeZone),
    check: ({ status, date }) => ({
      status: status ? undefined : 'Choose a status.',
      date: date ? undefined : 'Enter a date.',
    }),
    save: ({ status, date, time, dischargedTo }) => {
      const body = {
        status: status as EventCode,
        eventDate: instantOf(date, time, timeZone),
        dischargedTo: ENDS.has(status) ? dischargedTo.trim() || null : null,
      };
      return event
        ? call('PATCH /api/patients/:id/events/:eventId', {
            params: { id: patientId, eventId: event.eventIdentifier },
            body,
          })
        : call('POST /api/patients/:id/events', { params: { id: patientId }, body });
    },
    saved: (changed, { status }) => saved(`${EVENT_LABELS[status as EventCode]} was saved.`, changed),
  });
  return (
    <EditDrawer
      title={event ? `Edit ${EVENT_LABELS[event.status]}` : 'Update status'}
      form={form}
      submit="Save"
      shownFields={['status', 'date', 'time', 'dischargedTo', 'eventDate']}
      close={close}
    >
      <NativeSelect
        label="Status"
        data={event ? choices : [{ value: '', label: 'Choose a status' }, ...choices]}
        {...textOf(form, 'status')}
      />
      <WhenFields form={form} />
      {ENDS.has(form.values.status) && (
        <>
          <TextInput
            label="Discharged to"
            description="Choose what fits, so that the follow-up is right, or name the place."
            list={destinations}
            maxLength={ENTRY_LIMITS.line}
            {...textOf(form, 'dischargedTo')}
          />
          <datalist id={destinations}>
            {DESTINATIONS.map((destination) => (
              <option key={destination} value={destination}>
                {destination}
              </option>
            ))}
          </datalist>
        </>
      )}
      {event && <DeleteEvent patientId={patientId} event={event} saved={saved} />}
    </EditDrawer>
  );
};

const DeleteEvent = ({
  patientId,
  event,
  saved,
}: {
  patientId: string;
  event: Ping;
  saved: (message: string, changed: Changed) => void;
}) => {
  return (
    <RemoveButton
      kind="event"
      what={EVENT_LABELS[event.status]}
      act={() =>
        call('DELETE /api/patients/:id/events/:eventId', {
          params: { id: patientId, eventId: event.eventIdentifier },
        })
      }
      done={(message) => saved(message, { patientId })}
    >
      Everyone who was notified sees it as canceled. It stays in the history.
    </RemoveButton>
  );
};
