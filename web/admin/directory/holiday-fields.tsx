import { Textarea } from '@mantine/core';
import type { RecordSettings } from '#contract/record-settings.ts';
import { readTypedDate } from '../../filters/typed-date.ts';
import { textOf } from '../../forms/fields.ts';
import type { Form } from '../../forms/use-form.ts';
import { formatDate } from '../../ui/format/date.ts';
import type { HolidayValues, SettingsValues } from './settings-values.ts';

const MOST = 100;
const readDate = (line: string): string | null => readTypedDate(line, new Date());
const written = (days: readonly string[]): string => days.map((day) => formatDate(day)).join('\n');
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

export const holidayValuesOf = ({ added, removed }: RecordSettings['holidays']): HolidayValues => ({
  addedHolidays: written(added),
  removedHolidays: written(removed),
});

/** Returns the days for the server. Call it only without problems. */
export const holidaysOf = ({ addedHolidays, removedHolidays }: HolidayValues): RecordSettings['holidays'] => ({
  added: linesOf(addedHolidays).flatMap((line) => readDate(line) ?? []),
  removed: linesOf(removedHolidays).flatMap((line) => readDate(line) ?? []),
});

const problemOf = (text: string): string | undefined => {
  const lines = linesOf(text);
  if (lines.length > MOST) return `Enter at most ${MOST} days.`;
  const wrong = lines.find((line) => readDate(line) === null);
  return wrong === undefined ? undefined : `${wrong.slice(0, 20)} is not a valid date. Use MM/DD/YYYY.`;
};

/** Returns what is wrong with the days, by field. */
export const holidayProblems = (values: HolidayValues): Record<keyof HolidayValues, string | undefined> => ({
  addedHolidays: problemOf(values.addedHolidays),
  removedHolidays: problemOf(values.removedHolidays),
});

/** The inputs of both lists. */
export const HolidayInputs = ({ form }: { form: Form<SettingsValues> }) => (
  <>
    <Textarea
      label="Holidays"
      description="One date per line, MM/DD/YYYY. Days on which you're closed, besides the federal holidays. Follow-up due dates skip them."
      rows={3}
      {...textOf(form, 'addedHolidays')}
    />
    <Textarea
      label="Federal holidays you work on"
      description="One date per line, MM/DD/YYYY. These count as business days."
      rows={2}
      {...textOf(form, 'removedHolidays')}
    />
  </>
);
