import { NativeSelect, TextInput } from '@mantine/core';
import { EVENT_LABELS, type EventCode, startsVisit } from '#contract/event-codes.ts';
import type { Ping } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { instantOf, localOf } from '../forms/local-time.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { FIRST_CHOICES, LATER_CHOICES, LIMITS } from './entry-fields.ts';
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

const ENDS: ReadonlySet<string> = new Set(['DISCHARGE', 'ENDED_SERVICES']);

const valuesOf = (event: Ping | null, timeZone: string): Values => ({
  status: event?.status ?? '',
  ...localOf(event?.eventDate ?? new Date().toISOString(), timeZone),
  ...(event ? {} : { time: '' }),
  dischargedTo: event?.dischargedTo ?? '',
});

/** The form of an event of a visit: a new one, which updates the patient's status, or one to correct or delete. */
export const EventDrawer = ({
  patientId,
  event,
  timeZone,
  isOver,
  saved,
  close,
}: {
  patientId: string;
  /** Null for a new one. */
  event: Ping | null;
  /** The facility's. */
  timeZone: string;
  /** The visit has ended: only a new visit can follow. */
  isOver: boolean;
  saved: (message: string, changed: Changed) => void;
  close: () => void;
}) => {
  const choices = event
    ? startsVisit(event.status)
      ? FIRST_CHOICES
      : LATER_CHOICES
    : isOver
      ? [...FIRST_CHOICES, ...LATER_CHOICES]
      : [...LATER_CHOICES, ...FIRST_CHOICES];
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
        <TextInput label="Discharged to" maxLength={LIMITS.line} {...textOf(form, 'dischargedTo')} />
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
