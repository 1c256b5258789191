import { Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { LINK_DESTINATION_LABELS, LINK_DESTINATIONS, type LinkDestination } from '#contract/facility-link-words.ts';
import type { OpenedLink } from '#contract/facility-links.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { zoned } from '../explain/zoned.ts';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { Problem } from '../sign-in/account-frame.tsx';
import { zoneName } from '../ui/format/date.ts';
import classes from './link-holders.module.css';
import { isNotValid } from './not-valid.ts';
import { Answerer, type AnswererValues, missingOf, NO_ANSWERER, Patient } from './question-parts.tsx';

interface Values extends AnswererValues {
  where: 'left' | 'here' | '';
  date: string;
  time: string;
  destination: LinkDestination | '';
}

const EMPTY: Values = { where: '', date: '', time: '', destination: '', ...NO_ANSWERER };
const DESTINATIONS = [
  { value: '', label: 'Not known' },
  ...LINK_DESTINATIONS.map((value) => ({ value, label: LINK_DESTINATION_LABELS[value] })),
];

export interface QuestionProps {
  token: string;
  birthDate: string;
  opened: OpenedLink;
  answered: () => void;
  notValid: () => void;
}

const useAnswer = ({ token, birthDate, answered, notValid }: Omit<QuestionProps, 'opened'>) =>
  useForm<Values, unknown>({
    initial: EMPTY,
    check: ({ where, date, ...by }) => ({
      where: where ? undefined : 'Choose an answer.',
      date: where !== 'left' || date ? undefined : 'Enter the date of the discharge.',
      ...missingOf(by),
    }),
    save: async ({ where, date, time, destination, contactName, contactPhone, note }) => {
      const hasLeft = where === 'left';
      const answer = {
        stillHere: !hasLeft,
        date: hasLeft ? date : null,
        time: (hasLeft && time) || null,
        destination: (hasLeft && destination) || null,
        contactName,
        contactPhone,
        note,
      };
      try {
        await call('POST /api/facility-links/answer', { body: { token, birthDate, answer } });
      } catch (error) {
        if (isNotValid(error)) notValid();
        throw error;
      }
    },
    saved: answered,
  });

/** The question, and who answers it. */
export const AnswerForm = ({ opened, ...of }: QuestionProps) => {
  const form = useAnswer(of);
  const { where } = form.values;
  return (
    <>
      <Patient {...opened} />
      <Problem message={form.failure && !isNotValid(form.failure) ? reasonOf(form.failure) : null} />
      <form onSubmit={form.submit} noValidate className={classes.form}>
        <Radio.Group
          label="Is the patient still here?"
          value={where}
          error={form.errorOf('where')}
          onChange={(value) => form.change({ where: value })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="here" label="Yes, still here" aria-invalid={form.errorOf('where') ? true : undefined} />
            <Radio value="left" label="No, discharged or died" />
          </Stack>
        </Radio.Group>
        {where === 'left' && (
          <>
            <Group grow align="flex-start" className={classes.when}>
              <TextInput label="Date" type="date" {...textOf(form, 'date')} />
              <TextInput
                label={`Time, ${zoneName(new Date(opened.expiresDate), opened.timeZone)} (optional)`}
                type="time"
                {...textOf(form, 'time')}
              />
            </Group>
            <NativeSelect label="Went to" data={DESTINATIONS} {...textOf(form, 'destination')} />
          </>
        )}
        <Answerer form={form} />
        <Text size="sm" c="dimmed">
          You can send one answer. The link works until {zoned(opened.expiresDate, opened.timeZone)}.
        </Text>
        <Button type="submit" loading={form.saving}>
          Send answer
        </Button>
      </form>
    </>
  );
};
