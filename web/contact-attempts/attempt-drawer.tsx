import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ContactAttempt } from '#contract/contact-attempts.ts';
import {
  CHANNEL_LABELS,
  CONTACT_CHANNELS,
  CONTACT_NOTE_MAX_LENGTH,
  CONTACT_OUTCOMES,
  type ContactChannel,
  type ContactOutcome,
  OUTCOME_LABELS,
} from '#contract/contact-words.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { instantOf, localOf } from '../forms/local-time.ts';
import { useForm } from '../forms/use-form.ts';
import { readingZone } from '../ui/format/date.ts';

interface Values {
  date: string;
  time: string;
  channel: ContactChannel;
  outcome: ContactOutcome | '';
  note: string;
}

const CHANNELS = CONTACT_CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] }));
const OUTCOMES = [
  { value: '', label: 'Choose an outcome' },
  ...CONTACT_OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value] })),
];

/** What a status says of a contact. */
export interface KnownContact {
  by: string;
  date: string;
}

const madeNow = (): Values => ({
  ...localOf(new Date().toISOString(), readingZone()),
  channel: 'CALL',
  outcome: '',
  note: '',
});

/** The time of the status is the latest time that the contact can have had. */
const madeBy = ({ by, date }: KnownContact): Values => ({
  ...madeNow(),
  ...localOf(date, readingZone()),
  outcome: 'REACHED',
  note: `Contacted by ${by}, as the status of the discharge says.`.slice(0, CONTACT_NOTE_MAX_LENGTH),
});

/** The form of an attempt to reach the patient, dated now unless the user says otherwise, or filled in from what is known of a contact. */
export const AttemptDrawer = ({
  patientId,
  known,
  saved,
  close,
}: {
  patientId: string;
  known?: KnownContact;
  saved: (attempts: ContactAttempt[]) => void;
  close: () => void;
}) => {
  const form = useForm<Values, ContactAttempt[]>({
    initial: known ? madeBy(known) : madeNow(),
    check: ({ date, time, outcome }) => ({
      date: date ? undefined : 'Enter a date.',
      time: time ? undefined : 'Enter a time.',
      outcome: outcome ? undefined : 'Choose an outcome.',
    }),
    save: ({ date, time, channel, outcome, note }) =>
      call('POST /api/patients/:id/contact-attempts', {
        params: { id: patientId },
        body: {
          attemptedAt: instantOf(date, time, readingZone()),
          channel,
          outcome: outcome as ContactOutcome,
          note,
        },
      }),
    saved,
  });
  return (
    <EditDrawer
      title="Log contact"
      form={form}
      submit="Save"
      shownFields={[...Object.keys(form.values), 'attemptedAt']}
      close={close}
    >
      <NativeSelect label="How" data={CHANNELS} {...textOf(form, 'channel')} />
      <NativeSelect label="Outcome" data={OUTCOMES} {...textOf(form, 'outcome')} />
      <Group grow align="flex-start">
        <TextInput
          label="Date"
          type="date"
          {...textOf(form, 'date')}
          error={form.errorOf('date') ?? form.errorOf('attemptedAt')}
        />
        <TextInput label="Time" type="time" {...textOf(form, 'time')} />
      </Group>
      <Textarea
        label="Note"
        description="Seen by your team."
        rows={4}
        maxLength={CONTACT_NOTE_MAX_LENGTH}
        {...textOf(form, 'note')}
      />
    </EditDrawer>
  );
};
